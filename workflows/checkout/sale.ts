import type { CheckoutSnapshot } from '../../activities/checkout/checkout.ts'
import type { createRailCalls } from '../rail-calls.ts'

/** What the process of a sale knows and has been told. */
export type Sale = {
  id: string
  /** The attempts about which rails have news that was not asked for yet. */
  news: string[]
  applySnapshot: (snapshot: CheckoutSnapshot) => void
  current: () => CheckoutSnapshot
}

/** The questions to rails that run beside the waits of a sale. */
export type Rails = ReturnType<typeof createRailCalls<CheckoutSnapshot>>
