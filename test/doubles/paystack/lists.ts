/** The page that a query asks for. */
export function pageOf<T>(found: readonly T[], query: URLSearchParams, max = 100): T[] {
  const perPage = Math.min(Number(query.get('perPage') ?? 50), max)
  const from = (Number(query.get('page') ?? 1) - 1) * perPage
  return found.slice(from, from + perPage)
}

/** Those that were made in the span of a query, the oldest first. */
export function within<T extends { createdAt: number }>(all: Iterable<T>, query: URLSearchParams): T[] {
  const from = Date.parse(query.get('from') ?? '1970-01-01')
  const to = Date.parse(query.get('to') ?? '2100-01-01')
  return [...all]
    .filter(({ createdAt }) => createdAt >= from && createdAt <= to)
    .toSorted((one, other) => one.createdAt - other.createdAt)
}
