import { createRequire } from 'node:module'

/** What we use of highlight.js. Its own types bring those of browsers along, for every file of the service. */
type Highlighter = {
  registerLanguage(name: string, language: object): void
  highlight(code: string, options: { language: string }): { value: string }
}

const require = createRequire(import.meta.url)
const highlighter = require('highlight.js/lib/core') as Highlighter

/** The language of a block, as it is written behind its three backticks, and the name of its grammar. */
const grammars = {
  sh: 'bash',
  go: 'go',
  java: 'java',
  js: 'javascript',
  json: 'json',
  php: 'php',
  python: 'python',
  sql: 'sql',
  ts: 'typescript',
  yaml: 'yaml',
}
for (const [name, grammar] of Object.entries(grammars))
  highlighter.registerLanguage(name, require(`highlight.js/lib/languages/${grammar}`) as object)

/** Code as HTML, with marks for the colours; null if the language is not known. */
export const highlight = (code: string, language: string): string | null =>
  Object.hasOwn(grammars, language) ? highlighter.highlight(code, { language }).value : null
