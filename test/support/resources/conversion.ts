import type { Environment } from '../../../domain/access/scope.ts'
import { newId } from '../../../domain/id.ts'
import { endow, exchanging } from '../conversion.ts'
import type { Makers, Owner, Processes, Routes } from '../resource.ts'
import type { Stack } from '../stack.ts'

async function makeQuote(stack: Stack, { accountId }: Owner, environment: Environment, usedAt: Date | null = null) {
  const id = newId('quo', Date.now())
  await stack.sql(
    `insert into conversion_quotes (id, account_id, environment, from_amount, from_currency, to_amount, to_currency,
       rate, fee, used_at, expires_at, created_at)
     values (?, ?, ?, 100, 'USD', 158400, 'NGN', 1600, 1, ?, now() + interval '5 minutes', now())`,
    [id, accountId, environment, usedAt],
  )
  return id
}

export const makers: Makers = {
  quote_id: {
    prefix: 'quo',
    make: async (stack, owner, environment) => ({ id: await makeQuote(stack, owner, environment) }),
    makeByCalls: async (_stack, { keys }) => ({ id: (await exchanging(keys.sandbox.merchant).quote()).quote_id }),
  },
  conversion_id: {
    prefix: 'cnv',
    async make(stack, owner, environment) {
      const [id, at] = [newId('cnv', Date.now()), new Date()]
      await stack.sql(
        `insert into conversions (id, account_id, environment, quote_id, from_amount, from_currency, to_amount,
           to_currency, rate, fee, metadata, status, failure_reason, created_at, updated_at)
         values (?, ?, ?, ?, 100, 'USD', 158400, 'NGN', 1600, 1, '{}', 'failed', 'It was not executed.', ?, ?)`,
        [id, owner.accountId, environment, await makeQuote(stack, owner, environment, at), at, at],
      )
      return { id }
    },
    async makeByCalls(stack, { accountId, keys }) {
      await endow(stack, accountId, '100')
      return { id: (await exchanging(keys.sandbox.merchant).convert()).conversion_id }
    },
  },
}

export const routes: Routes = {
  'POST /v1/conversions/quotes': { body: { from_currency: 'USD', to_currency: 'NGN', from_amount: '100.00' } },
  'GET /v1/conversions/quotes/{quote_id}': {},
  'POST /v1/conversions': {
    body: { quote_id: newId('quo', Date.now()) },
    bodies: ({ quote_id }) => [{ quote_id, reference: 'r', metadata: { a: 'b' }, simulated_outcome: 'failed' }],
  },
  'GET /v1/conversions': {},
  'GET /v1/conversions/{conversion_id}': {},
}

export const processes: Processes = {
  conversion: {
    begun: 'conversions',
    unfinished: `select id, account_id, environment from conversions where status in ('pending', 'processing')`,
  },
}
