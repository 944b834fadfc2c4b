type Query = Record<string, unknown>
/** A page of a list: most lists go on from a cursor, refunds and payouts from an offset. */
type Page<Item> = {
  items: Item[]
  pagination?: { next_cursor: string | null }
  next_cursor?: string | null
  total?: number
}

const largestPage = 100

/** The items of all pages, which are read as they are needed. */
export async function* itemsOf<Item>(read: (query: Query) => Promise<Page<Item>>, query: Query): AsyncGenerator<Item> {
  const seen = new Set<unknown>()
  let next: Query | null = { limit: largestPage, ...query }
  while (next) {
    const page: Page<Item> = await read(next)
    for (const item of page.items) {
      // With an offset, a new row moves the others to the next page, where they would come a second time.
      if (page.total !== undefined && isKnown(item, seen)) continue
      yield item
    }
    next = queryAfter(page, next)
  }
}

function isKnown(item: unknown, seen: Set<unknown>): boolean {
  const { id, refund_id } = item as { id?: unknown; refund_id?: unknown }
  const key = id ?? refund_id
  if (key === undefined) return false
  if (seen.has(key)) return true
  seen.add(key)
  return false
}

function queryAfter(page: Page<unknown>, query: Query): Query | null {
  const cursor = page.pagination?.next_cursor ?? page.next_cursor ?? null
  if (cursor !== null) return { ...query, offset: undefined, cursor }
  const offset = Number(query['offset'] ?? 0) + page.items.length
  return page.items.length > 0 && offset < (page.total ?? 0) ? { ...query, offset } : null
}
