// Writes .env.example from the schema in engine/config.ts: npm run env-example
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeEnvironment, type VariableDescription } from '../engine/config.ts'
import { ROOT } from './infra/paths.ts'

const WIDTH = 110
const HEAD = `# Every variable that the API and the worker read. Generated from engine/config.ts: npm run env-example
# Each may also come from a file: NAME_FILE=/run/secrets/name. Commented ones show their default or an example.
`

/** The text of .env.example. */
export function renderEnvExample(): string {
  return [HEAD, ...describeEnvironment().map(renderVariable)].join('\n')
}

function renderVariable(about: VariableDescription): string {
  const isRequired = about.default === undefined
  const rule = `${isRequired ? 'Required: ' : 'Must be '}${about.must}.`
  const comment = [...wrap(about.description), ...wrap(rule)].map((line) => `# ${line}\n`).join('')
  const value = about.default || about.default === 0 ? about.default : (about.example ?? '')
  return `${comment}${isRequired ? '' : '# '}${about.name}=${value}\n`
}

function wrap(text: string): string[] {
  const lines = ['']
  for (const word of text.split(' ')) {
    const last = lines.length - 1
    if (`${lines[last]} ${word}`.length > WIDTH) lines.push(word)
    else lines[last] = `${lines[last]} ${word}`.trim()
  }
  return lines
}

if (import.meta.main) writeFileSync(join(ROOT, '.env.example'), renderEnvExample())
