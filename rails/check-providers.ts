import type { Corridor } from '../domain/corridor.ts'
import type { PayoutCurrency } from '../domain/payout/destination.ts'
import type { ProviderName } from '../domain/rail-provider.ts'
import { checkPaystack } from './paystack/check.ts'
import { paystackPaysOut, paystackServes } from './paystack/paystack.ts'
import { openPaystack, openStripe } from './open-for-tool.ts'
import { checkTimeoutMs, type Finding } from './provider-check.ts'
import type { ProviderAccess } from './providers.ts'
import { checkStripe } from './stripe/check.ts'
import { stripeServes } from './stripe/stripe.ts'

/** What was found out about one provider. A provider that is not configured was asked nothing. */
export type ProviderReport = {
  provider: ProviderName
  configured: boolean
  mode: 'live' | 'test' | null
  /** Where its API is. */
  address: string | null
  /** The corridors that it serves, and the currencies in which it pays out. */
  serves: readonly Corridor[]
  paysOut: readonly PayoutCurrency[]
  findings: Finding[]
}

const notConfigured = { configured: false, mode: null, address: null, serves: [], paysOut: [], findings: [] }

/** Asks the configured providers what they allow, without moving money. Takes as long as one question may take. */
export async function checkProviders(access: ProviderAccess, publicUrl: string): Promise<ProviderReport[]> {
  return Promise.all([stripeReport(access.stripe, publicUrl), paystackReport(access.paystack, publicUrl)])
}

async function stripeReport(access: ProviderAccess['stripe'], publicUrl: string): Promise<ProviderReport> {
  if (!access) return { ...notConfigured, provider: 'stripe' }
  const { secretKey, livemode, url } = access
  const { api, close } = openStripe(access, checkTimeoutMs)
  try {
    const isRestricted = secretKey.startsWith('rk_')
    const findings = await checkStripe({ api, livemode, publicUrl, isRestricted })
    const about = { mode: livemode ? 'live' : 'test', address: url ?? 'https://api.stripe.com' } as const
    return { provider: 'stripe', configured: true, ...about, serves: stripeServes, paysOut: [], findings }
  } finally {
    await close()
  }
}

async function paystackReport(access: ProviderAccess['paystack'], publicUrl: string): Promise<ProviderReport> {
  if (!access) return { ...notConfigured, provider: 'paystack' }
  const { url } = access
  const api = openPaystack(access, checkTimeoutMs)
  try {
    const findings = await checkPaystack({ api, publicUrl, serves: paystackServes })
    const about = { mode: api.mode, address: url ?? 'https://api.paystack.co' }
    const offers = { serves: paystackServes, paysOut: paystackPaysOut }
    return { provider: 'paystack', configured: true, ...about, ...offers, findings }
  } finally {
    await api.close()
  }
}
