import { Refusal } from '../refusal.ts'
import type { Environment } from '../access/scope.ts'

/** What an account may be allowed to do; each is decided separately (docs/contract/platform.md, "Capabilities"). */
export const capabilities = [
  'card_payments',
  'bank_transfer_payments',
  'mobile_money_payments',
  'crypto_payments',
  'payouts',
  'virtual_accounts',
  'transfers',
] as const
export type Capability = (typeof capabilities)[number]

export const capabilityStatuses = ['inactive', 'pending', 'active', 'restricted'] as const
export type CapabilityStatus = (typeof capabilityStatuses)[number]

/** The statuses by which operators take a capability away. */
export const stops = ['inactive', 'pending', 'restricted'] as const satisfies CapabilityStatus[]

/** The status before a decision: everything is allowed in the sandbox, nothing in live. */
export const undecided = (environment: Environment): CapabilityStatus =>
  environment === 'sandbox' ? 'active' : 'inactive'

/** Refuses with `CAPABILITY_NOT_ACTIVE` unless the capability is active. */
export function assertActive(capability: Capability, status: CapabilityStatus): void {
  if (status === 'active') return
  throw new Refusal('CAPABILITY_NOT_ACTIVE', `the capability ${capability} of this account is ${status}`)
}
