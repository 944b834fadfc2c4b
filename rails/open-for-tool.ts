import { neverDown, createLine } from './line.ts'
import { createPaystackApi } from './paystack/api.ts'
import type { ProviderAccess } from './providers.ts'
import { connectToStripe } from './stripe/connection.ts'

// The providers for a tool that asks some questions and tells each answer, however often one fails. `timeoutMs` is the
// longest that one question may take.

export const openStripe = ({ url: address, ...access }: NonNullable<ProviderAccess['stripe']>, timeoutMs: number) =>
  connectToStripe({ ...access, address, timeoutMs }, createLine('stripe', neverDown))

export const openPaystack = ({ url, ...access }: NonNullable<ProviderAccess['paystack']>, timeoutMs: number) =>
  createPaystackApi({ ...access, url: url ?? undefined, timeoutMs, line: neverDown })
