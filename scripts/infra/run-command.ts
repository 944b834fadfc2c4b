type Command<Order> = {
  usage: string
  /** Does what the command line says. Returns the exit code. */
  run: (order: Order) => Promise<number>
  /** The exit code if `run` throws. */
  failureCode: number
  /** What is printed if `run` throws; the error's message if left out. */
  reasonOf?: (error: unknown) => unknown
}

/**
 * Runs a command of an operator and sets the exit code of this process. `order` is what the command line says. For
 * `help` the usage is printed. For null, a wrong command line, it is printed as an error, with exit code 2.
 */
export async function runCommand<Order>(
  order: Order | 'help' | null,
  { usage, run, failureCode, reasonOf = messageOf }: Command<Order>,
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

const messageOf = (error: unknown): unknown => (error instanceof Error ? error.message : error)
