import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../scripts/infra/paths.ts'
import { curlCommandsIn } from './guide.ts'

/** A block of code of the documentation. `before` is the text of its page above it. */
export type Block = { page: string; line: number; language: string; text: string; before: string }

/** All blocks of code of a page. */
function blocksOf(page: string): Block[] {
  const text = readFileSync(join(ROOT, page), 'utf8')
  return [...text.matchAll(/^```(\w*).*\n([\s\S]*?)^```$/gm)].map(({ 1: language = '', 2: code = '', index }) => {
    const above = text.slice(0, index)
    return { page, line: above.split('\n').length, language, text: code, before: above }
  })
}

const docPages = ['README.md', ...globSync('docs/**/*.md', { cwd: ROOT }).toSorted()]
export const docBlocks = docPages.flatMap(blocksOf)
export const placeOf = ({ page, line }: Block): string => `${page}:${line}`

/** The commands of a shell block; one that goes on in the next line is one command. */
export function commandsOf({ text }: Block): string[] {
  const curls = curlCommandsIn(text)
  const rest = curls.reduce((left, curl) => left.replace(curl, ''), text).replaceAll('\\\n', ' ')
  const lines = rest.split('\n').map((line) => line.trim())
  return [...curls, ...lines.filter((line) => line !== '')]
}
