import type { Makers, Owner, Routes } from '../resource.ts'
import type { Stack } from '../stack.ts'
import { subscriptionsOf } from '../subscription.ts'
import { sell, writeSubscription } from './subscription.ts'

/** The first invoice of a subscription, paid by card. */
async function sellOne(stack: Stack, owner: Owner) {
  const { subscription_id: id } = await sell(owner, stack)
  const [invoice] = await subscriptionsOf({ ...stack, merchant: owner.keys.sandbox.merchant }).invoices(id)
  const address = String(invoice?.['hosted_invoice_url'])
  return { id: String(invoice?.invoice_id), pageKey: String(address.split('/').at(-1)) }
}

export const makers: Makers = {
  invoice_id: {
    prefix: 'inv',
    make: async (...of) => ({ id: (await writeSubscription(...of)).invoice }),
    makeByCalls: sellOne,
  },
  page_key: {
    prefix: 'inv',
    make: async (...of) => ({ id: (await writeSubscription(...of)).pageKey }),
    makeByCalls: async (stack, owner) => ({ id: (await sellOne(stack, owner)).pageKey }),
  },
}

export const routes: Routes = {
  'GET /v1/payments/{payment_id}/receipt': {},
  'GET /v1/invoices': {},
  'GET /v1/invoices/{invoice_id}': {},
  'GET /v1/invoices/{invoice_id}/pdf': {},
  'POST /v1/invoices/{invoice_id}/void': {},
  'POST /v1/invoices/{invoice_id}/retry-payment': {},
  'GET /v1/invoices/{page_key}/public': {},
  'GET /v1/invoices/{page_key}/public/pdf': {},
  'POST /v1/invoices/{page_key}/pay': {},
}
