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
