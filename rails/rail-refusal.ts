/**
 * A rail's "no": it does not take the order, nothing was sent, and nothing will be under this id. The only error that
 * releases held money. Everything else that a rail throws says nothing about the order, which is then asked again. The
 * message names no personal data.
 */
export class RailRefusal extends Error {
  override readonly name = 'RailRefusal'
}

/** The rail has not answered: nobody knows what became of the order, so it is asked again. The cause says why. */
export class RailUnavailable extends Error {
  override readonly name = 'RailFault'
}

/**
 * Calls a rail. Its `RailRefusal` passes; whatever else it throws becomes a `RailUnavailable`. So does a `Refusal` (a
 * rate that is not known, a row that is not there, whatever its code): it is of the service and no word of the rail,
 * and one that leaves an activity would end the process.
 */
export async function callRail<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    if (error instanceof RailRefusal) throw error
    const { code } = error as { code?: unknown }
    throw new RailUnavailable(typeof code === 'string' ? code : 'no answer', { cause: error })
  }
}
