/** Works on all items, ten at a time: no more than a pool has connections. The results are in the items' order. */
export async function tenAtATime<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (let from = 0; from < items.length; from += 10)
    results.push(...(await Promise.all(items.slice(from, from + 10).map(work))))
  return results
}
