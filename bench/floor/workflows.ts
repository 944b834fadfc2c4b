import { condition, defineSignal, proxyActivities, setHandler } from '@temporalio/workflow'

const { nothing } = proxyActivities<{ nothing(): Promise<void> }>({ startToCloseTimeout: '30 seconds' })

export const goOn = defineSignal('goOn')

/** The floor of a delivery. */
export async function oneStep(): Promise<void> {
  await nothing()
}

/** The floor of a sale: it waits for its buyer, asks a rail, writes down the answer. */
export async function signalAndTwoSteps(): Promise<void> {
  let hasSignal = false
  setHandler(goOn, () => void (hasSignal = true))
  await condition(() => hasSignal)
  await nothing()
  await nothing()
}

/** The floor of a payout: look at it, hand it to a rail, write down the answer. */
export async function threeSteps(): Promise<void> {
  await nothing()
  await nothing()
  await nothing()
}
