import { goProgram } from './go-program.ts'

/**
 * The path of stripe-mock, Stripe's own server that checks requests against its published description: `STRIPE_MOCK` if
 * it is set, else built with Go, which takes some seconds, once. Null where there is no Go; throws a SetupError where
 * Go cannot build it.
 */
export async function stripeMock(): Promise<string | null> {
  return process.env['STRIPE_MOCK'] || (await goProgram('stripe-mock', '0.203.0', 'github.com/stripe/stripe-mock'))
}
