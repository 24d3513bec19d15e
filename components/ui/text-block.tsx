/** Preformatted text that scrolls in its own named place, also by keyboard. */
export function TextBlock({ name, text, className = '' }: { readonly name: string; readonly text: string; readonly className?: string }) {
  return (
    <pre
      tabIndex={0}
      role="group"
      aria-label={name}
      className={`max-h-64 overflow-auto rounded-sm border border-line bg-surface-0 px-2.5 py-1.5 text-code whitespace-pre-wrap wrap-anywhere text-ink-1 ${className}`}
    >
      {text}
    </pre>
  );
}
