import { Refusal } from '../../domain/refusal.ts'

/**
 * A rail's "no": it does not take the order, nothing was sent, and nothing will be under this id. The only error that
 * releases held money. Everything else that a rail throws says nothing about the order, which is then asked again. The
 * message names no personal data.
 */
export class RailRefusal extends Error {
  override readonly name = 'RailRefusal'
}

/** What a rail throws that is not its "no": nobody knows what became of the order, so the engine asks again. */
export class RailFault extends Error {
  override readonly name = 'RailFault'
}

/**
 * Calls a rail. Its `RailRefusal` and its own errors pass. A `Refusal` (a rate that is not known, a row that is not
 * there, whatever its code) is of the service and no word of the rail: it becomes a `RailFault`, because a `Refusal`
 * that leaves an activity ends the process.
 */
export async function callRail<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    if (error instanceof Refusal) throw new RailFault(`a refusal (${error.code}) inside a rail`, { cause: error })
    throw error
  }
}
