/** What is shown until there is a session: one line of what is happening. */
export function Starting({ words }: { readonly words: string }) {
  return (
    <main className="flex h-full items-center justify-center p-6">
      <div className="text-center">
        <h1 className="text-title font-semibold">Gatehouse</h1>
        <p role="status" className="mt-1 text-ink-2">
          {words}
        </p>
      </div>
    </main>
  );
}
