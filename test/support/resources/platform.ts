import { newId } from '../../../domain/id.ts'
import type { Makers, Processes, Routes } from '../resource.ts'
import { openAccount } from '../virtual-account.ts'

export const makers: Makers = {
  virtual_account_id: {
    prefix: 'va',
    async make(stack, { accountId }, environment) {
      const id = newId('va', Date.now())
      const customerId = newId('cust', Date.now())
      await stack.sql(
        `insert into customers (id, account_id, environment, email, metadata, created_at, updated_at)
         values (?, ?, ?, ?, '{}', now(), now())`,
        [customerId, accountId, environment, `${customerId}@example.com`],
      )
      await stack.sql(
        `insert into virtual_accounts (id, account_id, environment, customer_id, currency, account_number,
           account_name, bank_code, bank_name, created_at)
         values (?, ?, ?, ?, 'NGN', lpad(floor(random() * 1e10)::bigint::text, 10, '0'), 'A', '998', 'A bank', now())`,
        [id, accountId, environment, customerId],
      )
      return { id }
    },
    makeByCalls: async (_stack, { keys }) => ({
      id: (await openAccount(keys.sandbox.merchant, `${newId('cust', Date.now())}@example.com`)).virtual_account_id,
    }),
  },
}

export const routes: Routes = {
  'GET /v1/account': {},
  'PATCH /v1/account': { body: { timezone: 'Africa/Lagos' } },
  'POST /v1/virtual-accounts': {
    body: { customer_id: newId('cust', Date.now()), currency: 'NGN', account_name: 'Ada Buyer' },
    bodies: ({ customer_id }) => [{ customer_id, currency: 'NGN', account_name: 'Ada' }],
  },
  'GET /v1/virtual-accounts': {},
  'GET /v1/virtual-accounts/{virtual_account_id}': {},
  'POST /v1/test-helpers/virtual-accounts/{virtual_account_id}/deposits': {
    body: { amount: '1.00' },
    bodies: () => [{ amount: '1.00', sender_name: 'A', sender_bank: 'B', session_id: 'S2' }],
  },
}

export const processes: Processes = {
  deposit: {
    begun: 'deposits',
    unfinished: `select id, account_id, environment from payments
      where status = 'processing' and id in (select id from deposits)`,
  },
}
