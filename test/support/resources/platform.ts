import { newId } from '../../../domain/id.ts'
import type { Makers, Processes, Routes } from '../resource.ts'
import { addPerson, createAccount, representative, stated } from '../connected-account.ts'
import { openAccount } from '../virtual-account.ts'

export const makers: Makers = {
  account_id: {
    prefix: 'acct',
    async make(stack, { accountId }, environment) {
      const id = newId('acct', Date.now())
      await stack.sql(
        `insert into accounts (id, name, owner_id, environment, created_at) values (?, 'A seller', ?, ?, now())`,
        [id, accountId, environment],
      )
      return { id }
    },
    makeByCalls: async (_stack, { keys }) => ({ id: (await createAccount(keys.sandbox.merchant)).account_id }),
  },
  person_id: {
    prefix: 'psn',
    async make(stack, { accountId }, environment) {
      const id = newId('psn', Date.now())
      await stack.sql(
        `insert into account_persons (id, account_id, environment, is_director, created_at, updated_at)
         values (?, ?, ?, true, now(), now())`,
        [id, accountId, environment],
      )
      return { id }
    },
    async makeByCalls(_stack, { keys: { sandbox } }) {
      const { account_id } = await createAccount(sandbox.merchant)
      return { id: await addPerson(sandbox.merchant, account_id, { roles: ['director'] }), parents: { account_id } }
    },
  },
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

const url = 'https://example.com'

export const routes: Routes = {
  'POST /v1/accounts': {
    body: { country: 'NG' },
    bodies: () => [
      {
        country: 'GH',
        business_type: 'company',
        company: { name: 'A', registration_number: 'CS1234', tax_id: 'C0001', owners_provided: true },
        capabilities: { payouts: { requested: true } },
        metadata: { a: 'b' },
        ...stated,
      },
    ],
  },
  'GET /v1/accounts': {},
  'GET /v1/accounts/{account_id}': {},
  'PATCH /v1/accounts/{account_id}': { body: {}, bodies: () => [{ country: 'NG', ...stated }] },
  'GET /v1/accounts/{account_id}/timeline': {},
  'GET /v1/accounts/{account_id}/agenda': {},
  'GET /v1/accounts/{account_id}/capabilities': {},
  'GET /v1/accounts/{account_id}/capabilities/{capability}': {},
  'POST /v1/accounts/{account_id}/capabilities/{capability}': { body: { requested: true } },
  'POST /v1/accounts/{account_id}/persons': { body: { roles: ['director'] }, bodies: () => [representative] },
  'GET /v1/accounts/{account_id}/persons': {},
  'GET /v1/accounts/{account_id}/persons/{person_id}': {},
  'PATCH /v1/accounts/{account_id}/persons/{person_id}': { body: {}, bodies: () => [{ first_name: 'Ada' }] },
  'DELETE /v1/accounts/{account_id}/persons/{person_id}': {},
  'POST /v1/accounts/{account_id}/documents': {
    body: { file: newId('upl', Date.now()), document: 'company.tax_certificate' },
  },
  'GET /v1/accounts/{account_id}/documents': {},
  'POST /v1/accounts/{account_id}/onboarding-link': { body: { return_url: url, refresh_url: url } },
  'GET /v1/onboarding': {},
  'POST /v1/onboarding/end': {},
  'POST /v1/onboarding/refresh-url': { body: { token: 'os_x' } },
  'GET /api/v1/admin/accounts/{account_id}': {},
  'POST /api/v1/admin/accounts/{account_id}/review': {
    body: { decision: 'approve' },
    bodies: () => [
      { decision: 'reject', reason: 'r' },
      { decision: 'request_information', errors: [{ code: 'email', reason: 'r' }] },
    ],
  },
  'GET /v1/account': {},
  'PATCH /v1/account': { body: { timezone: 'Africa/Lagos' } },
  'POST /v1/virtual-accounts': {
    body: { customer_id: newId('cust', Date.now()), currency: 'NGN', account_name: 'Ada Buyer' },
    bodies: ({ customer_id }) => [
      { customer_id, currency: 'NGN', account_name: 'Ada', phone_number: '+2348012345678' },
      { currency: 'NGN' },
    ],
  },
  'GET /v1/virtual-accounts': {},
  'GET /v1/virtual-accounts/{virtual_account_id}': {},
  'POST /v1/test-helpers/virtual-accounts/{virtual_account_id}/deposits': {
    body: { amount: '1.00' },
    bodies: () => [{ amount: '1.00', sender_name: 'A', sender_bank: 'B', session_id: 'S2' }],
  },
}

export const processes: Processes = {
  'account-review': {
    begun: `(select distinct resource_id as id from reviews where type = 'account')`,
    unfinished: `select id, account_id, environment from account_profiles
      where is_reviewing or wakes_at is not null`,
  },
  deposit: {
    begun: 'deposits',
    unfinished: `select id, account_id, environment from payments
      where status = 'processing' and id in (select id from deposits)`,
  },
}
