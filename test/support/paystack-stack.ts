import { startPaystack } from '../doubles/paystack/paystack.ts'
import { addLiveMerchant } from './live.ts'
import { use } from './use.ts'
import { useApi, useStack } from './use-stack.ts'

export const secretKey = 'sk_live_leakmarker0123456789'

/** The whole service with Paystack's double behind its live rails, and a merchant that has gone live. */
export async function usePaystackStack() {
  const double = await use(
    () => startPaystack(secretKey),
    (server) => server.close(),
  )
  const paystack = { secretKey, callbackSecrets: [secretKey], url: double.url, livemode: true }
  const stack = await useStack({ invariants: 'at the end', skipping: true, providers: { paystack } })
  const api = await useApi(stack)
  return { double, stack, api, ...(await addLiveMerchant(stack, api)) }
}
