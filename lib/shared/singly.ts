/** One by one what comes alone or in lists. */
export async function* singly<Item extends object>(stream: AsyncIterable<Item | readonly Item[]>): AsyncGenerator<Item, void, undefined> {
  for await (const given of stream) {
    if (Array.isArray(given)) yield* given as readonly Item[];
    else yield given as Item;
  }
}
