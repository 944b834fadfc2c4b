/** Parameters as Stripe reads them: texts, lists and hashes of such. */
export type Params = { [key: string]: string | Params | (string | Params)[] }

/** Reads `a[b]=c` and `a[0]=c` as Stripe's API does. A name that fits into no hash is an error. */
export function readForm(text: string): Params {
  const params: Params = {}
  for (const [name, value] of new URLSearchParams(text)) {
    const [, first = '', rest = ''] = /^([^[]+)((?:\[[^\]]*\])*)$/.exec(name) ?? []
    if (first === '') throw new Error(`no name of a parameter: ${name}`)
    const path = [first, ...[...rest.matchAll(/\[([^\]]*)\]/g)].map(([, key = '']) => key)]
    let at: Params = params
    for (const key of path.slice(0, -1)) at = (at[key] ??= Object.create(null) as Params) as Params
    at[path.at(-1) ?? ''] = value
  }
  return withLists(params) as Params
}

/** Hashes whose keys are 0, 1 and so on become lists. */
function withLists(value: string | Params): string | Params | (string | Params)[] {
  if (typeof value === 'string') return value
  const entries = Object.entries(value).map(([key, inner]) => [key, withLists(inner as Params)] as const)
  const isList = entries.length > 0 && entries.every(([key], index) => key === String(index))
  return isList ? entries.map(([, inner]) => inner as string | Params) : Object.fromEntries(entries)
}
