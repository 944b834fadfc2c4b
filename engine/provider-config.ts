import type { ProviderAccess } from '../rails/providers.ts'
import type { Variables } from './environment.ts'

// The variables of the providers of live rails: each is configured as a whole, with keys of one mode.

const listOf = (text: string): string[] =>
  text
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean)

/** The variables that say which providers there are and how they are reached. */
export const providerVariables = [
  'DEPLOYMENT',
  'STRIPE_SECRET_KEY',
  'STRIPE_PUBLISHABLE_KEY',
  'STRIPE_WEBHOOK_SECRETS',
  'STRIPE_API_URL',
  'PAYSTACK_SECRET_KEY',
  'PAYSTACK_OLD_SECRET_KEYS',
  'PAYSTACK_API_URL',
] as const satisfies (keyof Variables)[]
type ProviderVariables = Pick<Variables, (typeof providerVariables)[number]>

/** The variables of a provider that belong together: it is configured as a whole, or not at all. */
const parts = {
  STRIPE_SECRET_KEY: ['STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRETS'],
  PAYSTACK_SECRET_KEY: [],
} as const
/** Variables that say nothing without the key of their provider. */
const extras = {
  STRIPE_SECRET_KEY: ['STRIPE_API_URL'],
  PAYSTACK_SECRET_KEY: ['PAYSTACK_OLD_SECRET_KEYS', 'PAYSTACK_API_URL'],
} as const

/** What is missing of a provider, and keys of a mode that this kind of deployment does not take. */
export function wrongProviders(values: ProviderVariables): string[] {
  const errors: string[] = []
  for (const key of ['STRIPE_SECRET_KEY', 'PAYSTACK_SECRET_KEY'] as const) {
    const needed = [key, ...parts[key]]
    const isBegun = [...needed, ...extras[key]].some((name) => values[name] !== '')
    if (!isBegun) continue
    for (const name of needed)
      if (values[name] === '') errors.push(`${name} is missing; the provider is configured as a whole or not at all`)
  }
  const mode = values.DEPLOYMENT === 'live' ? 'live' : 'test'
  for (const name of [
    'STRIPE_SECRET_KEY',
    'STRIPE_PUBLISHABLE_KEY',
    'PAYSTACK_SECRET_KEY',
    'PAYSTACK_OLD_SECRET_KEYS',
  ] as const)
    if (listOf(values[name]).some((key) => key.split('_')[1] !== mode))
      errors.push(`${name} must be of the provider’s ${mode} mode where DEPLOYMENT is ${values.DEPLOYMENT}`)
  return errors
}

/** How the configured providers are reached. */
export function providersIn(values: ProviderVariables): ProviderAccess {
  const livemode = values.DEPLOYMENT === 'live'
  const stripe = {
    secretKey: values.STRIPE_SECRET_KEY,
    publishableKey: values.STRIPE_PUBLISHABLE_KEY,
    callbackSecrets: listOf(values.STRIPE_WEBHOOK_SECRETS),
    url: values.STRIPE_API_URL.replace(/\/$/, '') || null,
    livemode,
  }
  const paystack = {
    secretKey: values.PAYSTACK_SECRET_KEY,
    callbackSecrets: [values.PAYSTACK_SECRET_KEY, ...listOf(values.PAYSTACK_OLD_SECRET_KEYS)],
    url: values.PAYSTACK_API_URL.replace(/\/$/, '') || null,
    livemode,
  }
  return { stripe: stripe.secretKey ? stripe : null, paystack: paystack.secretKey ? paystack : null }
}
