/** Works on all items, ten at a time: as many calls as a pool has connections, also on a busy machine. In their order. */
export async function tenAtATime<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (let from = 0; from < items.length; from += 10)
    results.push(...(await Promise.all(items.slice(from, from + 10).map(work))))
  return results
}
