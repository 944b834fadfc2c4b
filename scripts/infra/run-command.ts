import { parseArgs } from 'node:util'
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

/** The arguments of a command that has no options but `--help`, as `read` understands them; null if they are wrong. */
export function readArguments<Order>(read: (given: string[]) => Order | null): Order | 'help' | null {
  try {
    const options = { help: { type: 'boolean', short: 'h' } } as const
    const { values, positionals } = parseArgs({ allowPositionals: true, options })
    return values.help ? 'help' : read(positionals)
  } catch {
    return null // an option that does not exist
  }
}
