/** A revoked key or an ended session is refused within a second in every process. */
export const freshMs = 500
const cachedMax = 10_000

/** A reader that caches each result for `freshMs`. */
export function remembering<T>(read: (name: string) => Promise<T>): (name: string) => Promise<T> {
  const cache = new Map<string, { value: T; readAt: number }>()
  return async (name) => {
    const known = cache.get(name)
    const readAt = performance.now()
    if (known && readAt - known.readAt < freshMs) return known.value
    const value = await read(name)
    if (cache.size > cachedMax) cache.clear()
    cache.set(name, { value, readAt })
    return value
  }
}
