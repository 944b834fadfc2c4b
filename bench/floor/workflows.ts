import { condition, defineSignal, proxyActivities, setHandler } from '@temporalio/workflow'

const { nothing } = proxyActivities<{ nothing(): Promise<void> }>({ startToCloseTimeout: '30 seconds' })

export const goOn = defineSignal('goOn')

/** The floor of a delivery. */
export async function oneStep(): Promise<void> {
  await nothing()
}

/** The floor of a sale: waits for the buyer, calls a rail, stores the answer. */
export async function signalAndTwoSteps(): Promise<void> {
  let hasSignal = false
  setHandler(goOn, () => void (hasSignal = true))
  await condition(() => hasSignal)
  await nothing()
  await nothing()
}

/** The floor of a payout: checks it, sends it to a rail, stores the answer. */
export async function threeSteps(): Promise<void> {
  await nothing()
  await nothing()
  await nothing()
}
