import type { Environment } from '../../../domain/access/scope.ts'
import { newId } from '../../../domain/id.ts'
import { makePayment, type Makers, type Owner, type Routes } from '../resource.ts'
import type { Stack } from '../stack.ts'

/** A transfer or a platform fee as the service writes it; nothing is posted. */
async function makeMoved(stack: Stack, owner: Owner, environment: Environment, prefix: 'tr' | 'pf') {
  const id = newId(prefix, Date.now())
  const kind = prefix === 'tr' ? 'transfer' : 'platform_fee'
  const paymentId = prefix === 'tr' ? null : await makePayment(stack, owner, environment)
  const { accountId } = owner
  await stack.sql(
    `insert into transfers (id, account_id, environment, kind, from_account_id, to_account_id, currency, amount,
       payment_id, settled_amount, metadata, available_at, created_at, updated_at)
     values (?, ?, ?, ?, ?, ?, 'USD', 7, ?, ?, '{}', now(), now(), now())`,
    [id, accountId, environment, kind, accountId, accountId, paymentId, paymentId && 10],
  )
  return { id }
}

export const makers: Makers = {
  transfer_id: { prefix: 'tr', make: (stack, owner, environment) => makeMoved(stack, owner, environment, 'tr') },
  platform_fee_id: { prefix: 'pf', make: (stack, owner, environment) => makeMoved(stack, owner, environment, 'pf') },
}

export const routes: Routes = {
  'POST /v1/transfers': {
    body: { destination: newId('acct', Date.now()), amount: '1.00', currency: 'USD' },
    bodies: () => [
      {
        destination: 'acct_x',
        amount: '1.00',
        currency: 'USD',
        reference: 'r',
        description: 'd',
        metadata: { a: 'b' },
      },
    ],
  },
  'GET /v1/transfers': {},
  'GET /v1/transfers/{transfer_id}': {},
  'POST /v1/transfers/{transfer_id}/reversals': {
    body: {},
    bodies: () => [{ amount: '1.00', description: 'd', metadata: { a: 'b' } }],
  },
  'GET /v1/platform-fees': {},
  'GET /v1/platform-fees/{platform_fee_id}': {},
  'POST /v1/platform-fees/{platform_fee_id}/refund': { body: {}, bodies: () => [{ amount: '1.00' }] },
}
