import type { Interval } from '../catalogue/product.ts'
import type { LineItem } from '../checkout/line-item.ts'
import type { Proration } from './plan-change.ts'

/** The metadata of a change: merged, an empty value removes its key; empty text removes all keys. */
export type MetadataChange = Record<string, string> | ''

/** What somebody may ask of a subscription, as it is stored for its process. Moments are ISO 8601 in UTC. */
export type ChangeRequests = {
  edit: { metadata?: MetadataChange; payment_method_id?: string; trial_end?: string }
  cancel: { at_period_end: boolean; reason: string | null; comment: string | null }
  uncancel: Record<never, never>
  pause: { at_period_end: boolean; resumes_at: string | null }
  resume: Record<never, never>
  changePlan: { line_items: LineItem[]; interval: Interval; interval_count: number; proration: Proration }
  /** `invoice_id`: only this invoice is meant; without it, the oldest open one. */
  retryPayment: { invoice_id?: string }
  voidInvoice: { invoice_id: string }
}
export type ChangeKind = keyof ChangeRequests

/** A request with its kind. */
export type ChangeRequest = { [K in ChangeKind]: { kind: K } & ChangeRequests[K] }[ChangeKind]

/** `trial_end` that ends a trial at once. */
export const trialEndsNow = 'now'
