import type { Method } from '../domain/corridor.ts'
import type { Api } from './api.ts'
import type { Output } from './output.ts'

export type CheckoutOptions = {
  amount: string
  currency: string
  description: string
  successUrl: string
  reference?: string
  method?: Method[]
}
type Created = { checkout_id: string; checkout_url: string; status: string; expires_at: string }

/** Creates a session and prints its address. The API validates the values. */
export async function createCheckout({ call }: Api, output: Output, options: CheckoutOptions): Promise<void> {
  const { amount, currency, description, successUrl, reference, method } = options
  const body = {
    amount,
    currency,
    description,
    success_url: successUrl,
    ...(reference !== undefined && { reference }),
    ...(method && { payment_method_options: Object.fromEntries(method.map((name) => [name, {}])) }),
  }
  const path = '/v1/checkout-sessions'
  output.show(await call<Created>({ method: 'POST', path, body }), ({ checkout_id, checkout_url, expires_at }) => [
    `${checkout_id}  expires at ${expires_at}`,
    checkout_url,
  ])
}
