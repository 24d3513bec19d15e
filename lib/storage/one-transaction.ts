/** The part of a transaction that this needs; any mode, any stores. */
interface Transaction {
  readonly done: Promise<void>;
  abort(): void;
}

/**
 * Makes requests in one transaction and waits until it is through.
 *
 * Fails  with the error that says why: on a full disk the requests only say "aborted" and the transaction names the cause,
 *        for a key that is taken it is the other way round. A request that cannot even be made undoes those before it.
 */
export async function inOneTransaction(transaction: Transaction, requests: readonly (() => Promise<unknown>)[]): Promise<void> {
  const made: Promise<unknown>[] = [];
  try {
    for (const request of requests) made.push(request());
  } catch (error) {
    transaction.abort();
    await Promise.allSettled([transaction.done, ...made]);
    throw error;
  }
  const settled = await Promise.allSettled([transaction.done, ...made]);
  const failures = settled.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
  if (failures.length > 0) throw failures.find((error) => !isAbort(error)) ?? failures[0];
}

function isAbort(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'name' in error && error.name === 'AbortError';
}
