import { type ShownResource, shownResources } from './agenda.ts'

/** The kinds of resources that staff can find by an id and that have no timeline. */
export const quietKinds = [
  'webhook_recovery',
  'event',
  'transfer',
  'platform_fee',
  'transfer_reversal',
  'platform_fee_refund',
  'balance_transaction',
  'conversion_quote',
  'customer',
  'saved_payment_method',
  'virtual_account',
  'payment_link',
  'product',
  'product_group',
  'upload',
  'document',
  'person_of_account',
  'user',
  'team_invitation',
  'api_key',
  'test_clock',
  'review',
  'operator_action',
] as const

/** The kinds of resources that staff can find by an id. */
export const foundKinds = [...shownResources, ...quietKinds] as const
export type FoundKind = ShownResource | (typeof quietKinds)[number]
