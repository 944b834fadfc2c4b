/**
 * A rail's final refusal: nothing was moved, and nothing will be under this id. It is the only error that releases
 * reserved money. Any other error of a rail says nothing about the order, and the rail is asked again. The message
 * names no personal data.
 */
export class RailRefusal extends Error {
  override readonly name = 'RailRefusal'
}

/**
 * The rail has not answered and the outcome of the order is unknown, so the rail is asked again. The cause says why.
 */
export class RailUnavailable extends Error {
  override readonly name = 'RailUnavailable'
}

/**
 * Calls a rail. A `RailRefusal` is thrown on; any other error becomes a `RailUnavailable`. So does a `Refusal` of any
 * code, such as for an unknown rate or a missing row: it comes from this service and not from the rail, and a `Refusal`
 * thrown by an activity would end the process.
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

/**
 * Sends an order for a charge or a card to its rail. A `RailRefusal` becomes a failed answer: no money was taken, and
 * none will be.
 */
export async function sendOrder<Answer>(send: () => Promise<Answer>) {
  try {
    return await callRail(send)
  } catch (error) {
    if (!(error instanceof RailRefusal)) throw error
    return { status: 'failed', failureCode: 'rail_unavailable' } as const
  }
}
