import { describeEnvironment, type VariableDescription } from '../../engine/config.ts'

const WIDTH = 110
const HEAD = `# Every variable that the API and the worker read. Generated from engine/environment.ts: npm run docs
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
