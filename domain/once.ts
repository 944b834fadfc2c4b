/**
 * A function that does `work` at its first call, and gives its result to all callers. If the work fails, the next call
 * does it again.
 */
export function once<T>(work: () => Promise<T>): () => Promise<T> {
  let done: Promise<T> | null = null
  return () =>
    (done ??= work().catch((error: unknown) => {
      done = null
      throw error
    }))
}
