import type { Environment } from '../../../domain/access/scope.ts'
import { newId } from '../../../domain/id.ts'
import { pageOf } from '../api.ts'
import { createAccount } from '../connected-account.ts'
import { endow } from '../conversion.ts'
import { sale } from '../merchant.ts'
import { make, makePayment, type Makers, type Owner, type Routes } from '../resource.ts'
import type { Stack } from '../stack.ts'
import { makers as platform } from './platform.ts'

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
  transfer_id: {
    prefix: 'tr',
    make: (stack, owner, environment) => makeMoved(stack, owner, environment, 'tr'),
    /** To an account that nobody has decided about: the sandbox lets it take transfers. */
    async makeByCalls(stack, owner) {
      await endow(stack, owner.accountId, '7')
      const destination = (await platform['account_id']?.make(stack, owner, 'sandbox'))?.id
      const body = { destination, amount: '7.00', currency: 'USD' }
      return { id: await make(owner.keys.sandbox.merchant, '/v1/transfers', body, 'transfer_id') }
    },
  },
  platform_fee_id: {
    prefix: 'pf',
    make: (stack, owner, environment) => makeMoved(stack, owner, environment, 'pf'),
    /** Of a sale that the platform makes for a connected account. */
    async makeByCalls(_stack, { keys: { sandbox } }) {
      const { account_id } = await createAccount(sandbox.merchant)
      const shared = { ...sale, platform_fee: '7.00' }
      const session = await sandbox.merchant.createCheckout(shared, { 'x-account-id': account_id })
      const payment = String((await sandbox.merchant.payByCard(session))['payment_id'])
      const { items } = pageOf(await sandbox.merchant.call('GET', `/v1/platform-fees?payment_id=${payment}`))
      return { id: String(items[0]?.['platform_fee_id']) }
    },
  },
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
