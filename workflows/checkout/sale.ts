import type { CheckoutSnapshot } from '../../activities/checkout/checkout.ts'
import type { createRailCalls } from '../rail-calls.ts'

/** What the process of a sale knows: its latest snapshot and the messages it has received. */
export type Sale = {
  id: string
  /** The attempts about which rails have news, and which the process has not asked about yet. */
  news: string[]
  applySnapshot: (snapshot: CheckoutSnapshot) => void
  current: () => CheckoutSnapshot
}

/** The questions to rails that run while a sale waits for something else. */
export type Rails = ReturnType<typeof createRailCalls<CheckoutSnapshot>>
