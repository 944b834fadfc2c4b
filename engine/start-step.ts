import { SchemaMismatch } from '../db/migrate.ts'
import { ConfigError } from './config.ts'
import { CannotListen } from './listen.ts'

/** Errors that an operator has to mend. Their message says what is wrong and what to do, so no stack is printed. */
const ofOperators = [ConfigError, SchemaMismatch, CannotListen]

/** Does a step of the start of a process. On an error that an operator has to mend, prints it and ends the process. */
export async function startStep<T>(step: () => T | Promise<T>): Promise<T> {
  try {
    return await step()
  } catch (error) {
    if (!ofOperators.some((kind) => error instanceof kind)) throw error
    console.error((error as Error).message)
    return process.exit(1)
  }
}
