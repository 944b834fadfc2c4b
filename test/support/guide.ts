import { readFileSync } from 'node:fs'

// The examples in docs/ that merchants copy, for tests that send them exactly as printed. A page without
// a folder is a guide.

const read = (name: string) =>
  readFileSync(new URL(`../../docs/${name.includes('/') ? name : `guides/${name}`}.md`, import.meta.url), 'utf8')

/** The curl calls of a guide. */
export const curlsIn = (name: string) =>
  [...read(name).matchAll(/^curl -X (\w+) \$BASE(\S+) [\s\S]+?-d '([^']+)'/gm)].map(
    ([, method = '', path = '', body = '']) => ({ method, path, body }),
  )

/** The parsed JSON blocks of a guide. */
export const jsonIn = (name: string) =>
  [...read(name).matchAll(/^```json\n([\s\S]+?)^```$/gm)].map(([, text = '']) => JSON.parse(text))

/**
 * A call of a guide as a shell would send it: without its JSON header a body is sent as a form. With the header of a
 * connected account it `isForOther`. `headers` are those that are written in full, but for the type.
 */
export type PastedCall = {
  method: string
  path: string
  type: string
  body: string | undefined
  isForOther: boolean
  headers: Record<string, string>
  /** It sends a file, which is not in the text. */
  isFile: boolean
  /** The credential that is not the key, filled; null with the key. */
  token: string | null
}

/** The curl commands of a text of shell commands. */
export const curlCommandsIn = (text: string): string[] =>
  text.split(/^(?=curl )/m).flatMap((part) => /^curl [\s\S]*?(?<!\\)(?=\n(?![ }])|$)/.exec(part)?.[0] ?? [])

/** A curl command as it would be sent; `filled` replaces the names and ids in its text. */
export function pastedCall(text: string, filled: (text: string) => string): PastedCall {
  const body = /-d '([^']*)'/.exec(text)?.[1]
  const method = /-X (\w+)/.exec(text)?.[1] ?? (body === undefined ? 'GET' : 'POST')
  const path = /\$BASE(?:_URL)?([^\s"]+)/.exec(text)?.[1] ?? ''
  const isJson = /-H "\$JSON"|application\/json/.test(text)
  const type = isJson ? 'application/json' : 'application/x-www-form-urlencoded'
  const written = [...text.matchAll(/-H '([\w-]+): ([^']+)'/g)].map(([, name = '', value = '']) => [
    name,
    filled(value),
  ])
  const headers = Object.fromEntries(written.filter(([name]) => name !== 'Content-Type')) as Record<string, string>
  const isForOther = /-H "\$FOR"/.test(text)
  const [, token] = /-H "Authorization: Bearer (\$(?!KEY)\w+)"/.exec(text) ?? []
  const isFile = text.includes(' -F ')
  const sent = { method, path: filled(path), type, body: body && filled(body), isForOther, headers, isFile }
  return { ...sent, token: token ? filled(token) : null }
}

/** All curl calls in the shell blocks of a guide, in their order; `filled` replaces the names and ids in their text. */
export const pastedFrom = (name: string, filled: (text: string) => string) =>
  [...read(name).matchAll(/^```sh.*\n([\s\S]+?)^```$/gm)]
    .flatMap(([, block = '']) => curlCommandsIn(block))
    .map((text) => (): PastedCall => pastedCall(text, filled))

/** Ids that answers have shown, which a reader puts in place of `chk_…` and the like. `own` is the reader's account. */
export function createIds(own: string) {
  const known = new Map<string, string[]>()
  return {
    learn(text: string): void {
      const found = [...text.matchAll(/\b([a-z]+)_[0-9a-z]{34}\b/g)].filter(([id]) => id !== own)
      for (const [prefix, ids] of Map.groupBy(found, ([, name = '']) => name)) {
        const [first = ''] = ids[0] ?? []
        known.set(prefix, [...(known.get(prefix) ?? []).filter((id) => id !== first), first])
      }
    },
    /** The last id of each prefix; a text that names several of one prefix gets the last ones. */
    filled(text: string): string {
      const left = new Map([...known].map(([prefix, ids]) => [prefix, ids.slice(-count(text, `${prefix}_…`))]))
      return text.replaceAll(/\b([a-z]+)_…/g, (whole, prefix: string) => left.get(prefix)?.shift() ?? whole)
    },
  }
}
const count = (text: string, part: string): number => text.split(part).length - 1

/** The TypeScript blocks of a guide. */
export const typeScriptIn = (name: string): string[] =>
  [...read(name).matchAll(/^```ts\n([\s\S]+?)^```$/gm)].map(([, text = '']) => text)
