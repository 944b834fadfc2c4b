import { Refusal } from '../domain/refusal.ts'
import { RailRefusal } from '../rails/rail-refusal.ts'
import { IncompleteHolder } from '../rails/virtual-account-bank.ts'
import type { Services } from './http/services.ts'

/**
 * Asks a bank inside of a call, without a transaction: a bank that does not answer holds no connection. Refused with
 * `SERVICE_UNAVAILABLE` where its answer is unknown; the log has the reason.
 */
export async function askBank<T>({ logger }: Pick<Services, 'logger'>, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof IncompleteHolder || error instanceof RailRefusal) throw error
    logger.warn({ err: error }, 'a bank has not answered a call')
    throw new Refusal('SERVICE_UNAVAILABLE', 'the bank has not answered: send the same call again')
  }
}
