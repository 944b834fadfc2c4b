import { parseArgs, type ParseArgsConfig } from 'node:util'
import { whyFailed } from './why-failed.ts'

type Command<Order> = {
  usage: string
  /** Does what the command line says. Returns the exit code. */
  run: (order: Order) => Promise<number>
  /** The exit code if `run` throws. */
  failureCode: number
  /** What is printed if `run` throws. */
  reasonOf?: (error: unknown) => unknown
}

/**
 * Runs a command of an operator and sets the exit code of this process. `order` is what the command line says. For
 * `help` the usage is printed. For null, a wrong command line, it is printed as an error, with exit code 2.
 */
export async function runCommand<Order>(
  order: Order | 'help' | null,
  { usage, run, failureCode, reasonOf = whyFailed }: Command<Order>,
): Promise<void> {
  if (order === 'help') return console.log(usage)
  if (order === null) {
    console.error(usage)
    process.exitCode = 2
    return
  }
  try {
    process.exitCode = await run(order)
  } catch (error) {
    console.error(reasonOf(error))
    process.exitCode = failureCode
  }
}

/** For `openEngine`, in a command that changes something. */
export const sayUnavailable = (): void =>
  console.error('Temporal does not answer. It is asked again for about 30 seconds.')

const help = { type: 'boolean', short: 'h' } as const

type Options = NonNullable<ParseArgsConfig['options']>
type Values<Given extends Options> = ReturnType<typeof parseArgs<{ options: Given; allowPositionals: true }>>['values']

/**
 * The options and arguments of a command, as `read` understands them. `help` if they ask for it; null if they are
 * wrong, or an option does not exist.
 */
export function readOptions<const Given extends Options, Order>(
  options: Given,
  read: (values: Values<Given>, given: string[]) => Order | null,
): Order | 'help' | null {
  try {
    const { values, positionals } = parseArgs({ allowPositionals: true, options: { ...options, help } })
    return 'help' in values ? 'help' : read(values as Values<Given>, positionals)
  } catch (error) {
    if (String((error as NodeJS.ErrnoException).code).startsWith('ERR_PARSE_ARGS')) return null
    throw error
  }
}

/** The arguments of a command that has no options but `--help`, as `read` understands them; null if they are wrong. */
export const readArguments = <Order>(read: (given: string[]) => Order | null): Order | 'help' | null =>
  readOptions({}, (_values, given) => read(given))
