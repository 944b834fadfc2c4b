/** An ended session is refused within a second in every process. Who revokes a key waits this long for the answer. */
export const freshMs = 500
const cachedMax = 10_000

/** A reader that caches each result by its name for `freshMs`. What else it needs to read is given with the name. */
export function remembering<T, More extends unknown[]>(
  read: (name: string, ...more: More) => Promise<T>,
): (name: string, ...more: More) => Promise<T> {
  const cache = new Map<string, { value: T; readAt: number }>()
  return async (name, ...more) => {
    const known = cache.get(name)
    const readAt = performance.now()
    if (known && readAt - known.readAt < freshMs) return known.value
    const value = await read(name, ...more)
    if (cache.size > cachedMax) cache.clear()
    cache.set(name, { value, readAt })
    return value
  }
}
