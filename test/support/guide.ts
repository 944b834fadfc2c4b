import { readFileSync } from 'node:fs'

// The examples in docs/guides that merchants copy, for tests that send them exactly as printed.

const read = (name: string) => readFileSync(new URL(`../../docs/guides/${name}.md`, import.meta.url), 'utf8')

/** The curl calls of a guide. */
export const curlsIn = (name: string) =>
  [...read(name).matchAll(/^curl -X (\w+) \$BASE_URL(\S+) [\s\S]+?-d '([^']+)'/gm)].map(
    ([, method = '', path = '', body = '']) => ({ method, path, body }),
  )

/** The parsed JSON blocks of a guide. */
export const jsonIn = (name: string) =>
  [...read(name).matchAll(/^```json\n([\s\S]+?)^```$/gm)].map(([, text = '']) => JSON.parse(text))

/**
 * A call of a guide as a shell would send it: without its JSON header a body is sent as a form. With the header of a
 * connected account it `isForOther`.
 */
export type PastedCall = { method: string; path: string; type: string; body: string | undefined; isForOther: boolean }

/** All curl calls in the shell blocks of a guide, in their order; `filled` replaces the names and ids in their text. */
export const pastedFrom = (name: string, filled: (text: string) => string) =>
  [...read(name).matchAll(/^```sh\n([\s\S]+?)^```$/gm)]
    .flatMap(([, block = '']) => block.split(/^(?=curl )/m).filter((text) => text.startsWith('curl ')))
    .map((text) => (): PastedCall => {
      const body = /-d '([^']*)'/.exec(text)?.[1]
      const method = /-X (\w+)/.exec(text)?.[1] ?? (body === undefined ? 'GET' : 'POST')
      const path = /\$BASE(?:_URL)?([^\s"]+)/.exec(text)?.[1] ?? ''
      const isJson = /-H "\$JSON"|application\/json/.test(text)
      const type = isJson ? 'application/json' : 'application/x-www-form-urlencoded'
      return { method, path: filled(path), type, body: body && filled(body), isForOther: /-H "\$FOR"/.test(text) }
    })

/** The TypeScript blocks of a guide. */
export const typeScriptIn = (name: string): string[] =>
  [...read(name).matchAll(/^```ts\n([\s\S]+?)^```$/gm)].map(([, text = '']) => text)
