import { styleText } from 'node:util'
import { CommanderError } from 'commander'
import { Failure } from './failure.ts'

export type Style = 'bold' | 'dim' | 'green' | 'red' | 'yellow' | 'cyan'

/** Colours a text, if the output is a terminal and NO_COLOR is not set. */
export const paint = (style: Style, text: string): string => styleText(style, text)

/** Replaces the control characters of foreign text, which could rewrite what the terminal shows. */
export const plain = (text: string): string => text.replaceAll(/\p{Cc}+/gu, ' ')

/** A time of the API, to the second. */
export const shortTime = (moment: string): string => moment.replace('T', ' ').replace(/(\.\d+)?Z$/, '')

const units = [
  { name: 'days', ms: 86_400_000 },
  { name: 'h', ms: 3_600_000 },
  { name: 'min', ms: 60_000 },
  { name: 's', ms: 1_000 },
]

/**
 * How far a time of the API is from `at`, in milliseconds since the epoch: "in 4 min", "3 days ago". The unit is the
 * largest of which there are at least two.
 */
export function fromNow(moment: string, at: number): string {
  const ms = Date.parse(moment) - at
  const unit = units.find((each) => Math.abs(ms) >= 2 * each.ms) ?? { name: 's', ms: 1_000 }
  const count = Math.round(Math.abs(ms) / unit.ms)
  if (count === 0) return 'now'
  return ms > 0 ? `in ${count} ${unit.name}` : `${count} ${unit.name} ago`
}

/** Prints lines for people, or JSON for programs. Commands call the methods for both; the option `--json` decides. */
export function createOutput(json: boolean) {
  return {
    json,
    /** For people only. */
    say(line: string): void {
      if (!json) console.log(line)
    },
    /** For people only, and not a part of the result: on stderr. */
    note(line: string): void {
      if (!json) console.error(line)
    },
    /** For programs only: one object on one line. */
    emit(value: unknown): void {
      if (json) console.log(JSON.stringify(value))
    },
    /** Prints the result: all of it as JSON, or the lines for people. */
    show<T>(value: T, lines: (value: T) => string[]): void {
      console.log(json ? JSON.stringify(value, null, 2) : lines(value).join('\n'))
    },
    /** Waits for a step, then prints it. A terminal shows its name meanwhile. */
    async step<T>(what: string, work: Promise<T>, detailsOf: (value: T) => string): Promise<T> {
      const isShown = !json && process.stdout.isTTY
      if (isShown) process.stdout.write(paint('dim', `… ${what}`))
      const value = await work.finally(() => isShown && process.stdout.write('\r\u001B[K'))
      this.say(`${paint('green', '✔')} ${what}${paint('dim', detailsOf(value))}`)
      return value
    },
  }
}

export type Output = ReturnType<typeof createOutput>

const usageCode = 2

/** Prints an error to stderr, with `--json` in the API's form. Returns the exit code. */
export function printError(error: unknown, json: boolean): number {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return 0
    if (error.code === 'commander.help') return usageCode // the help is printed already
    const detail = error.message.replace(/^error: /, '')
    write(json, new Failure('USAGE', detail), 'Add --help to see what is possible.')
    return usageCode
  }
  if (error instanceof Failure) write(json, error, moreOf(error))
  else if (json) write(json, new Failure('INTERNAL', String(error)))
  else console.error(error)
  return 1
}

const moreOf = ({ docUrl, requestId }: Failure): string =>
  [...(docUrl ? [`See ${docUrl}`] : []), ...(requestId ? [`Request ${requestId}`] : [])].join('\n')

/** `more` says what helps, in the last lines for people. */
function write(json: boolean, { code, message, errors, docUrl, requestId }: Failure, more?: string): void {
  if (json) {
    const rest = {
      ...(docUrl !== null && { doc_url: docUrl }),
      ...(errors.length > 0 && { errors }),
      ...(requestId !== null && { request_id: requestId }),
    }
    return console.error(JSON.stringify({ detail: message, error_code: code, ...rest }))
  }
  const red = (text: string) => styleText('red', text, { stream: process.stderr })
  console.error(`${red('✖')} ${code === 'USAGE' ? message : `${plain(message)} (${code})`}`)
  for (const { field, message: wrong } of errors) console.error(plain(`    ${field}: ${wrong}`))
  if (more) console.error(more.split('\n').map(plain).join('\n'))
}
