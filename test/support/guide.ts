import { readFileSync } from 'node:fs'

// What merchants copy from docs/guides, for the tests that send it as it is printed.

const read = (name: string) => readFileSync(new URL(`../../docs/guides/${name}.md`, import.meta.url), 'utf8')

/** The calls by curl of a guide. */
export const curlsIn = (name: string) =>
  [...read(name).matchAll(/^curl -X (\w+) \$BASE_URL(\S+) [\s\S]+?-d '([^']+)'/gm)].map(
    ([, method = '', path = '', body = '']) => ({ method, path, body }),
  )

/** What a guide's blocks of JSON say. */
export const jsonIn = (name: string) =>
  [...read(name).matchAll(/^```json\n([\s\S]+?)^```$/gm)].map(([, text = '']) => JSON.parse(text))
