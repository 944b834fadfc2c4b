import type { Environment } from '../../../domain/access/scope.ts'
import { newId } from '../../../domain/id.ts'
import { endow } from '../conversion.ts'
import { destinations } from '../destination-examples.ts'
import { leftOpen, register } from '../destination.ts'
import { addDestination, lastFour } from '../payout.ts'
import type { Makers, Owner, Processes, Routes } from '../resource.ts'

async function makeDestination({ keys }: Owner, environment: Environment): Promise<string> {
  return (await register(keys[environment].merchant, 'GBP')).id
}

export const makers: Makers = {
  payout_id: {
    prefix: 'pay',
    async make(stack, owner, environment) {
      const [id, destinationId] = [newId('pay', Date.now()), await makeDestination(owner, environment)]
      await stack.sql(
        `insert into payouts (id, account_id, environment, destination_id, destination_type, amount, currency,
           source_amount, source_currency, fee, quote_fee, metadata, created_at, updated_at)
         values (?, ?, ?, ?, 'bank_account', 10, 'USD', 10, 'USD', 0, 0, '{}', now(), now())`,
        [id, owner.accountId, environment, destinationId],
      )
      return { id }
    },
    /** One that its rail has, and does not answer. */
    async makeByCalls(stack, { accountId, keys }) {
      await endow(stack, accountId, '2000', 'NGN')
      const tenant = { accountId, environment: 'sandbox' as const }
      const destination = await addDestination(stack, tenant, { ends: lastFour.neverAnswers })
      return { id: (await keys.sandbox.merchant.payOut(destination)).id }
    },
  },
  destination_id: {
    prefix: 'pd',
    make: async (_stack, owner, environment) => ({ id: await makeDestination(owner, environment) }),
    makeByCalls: async (_stack, { keys }) => ({ id: (await register(keys.sandbox.merchant, 'NGN', leftOpen)).id }),
  },
  review_id: {
    prefix: 'rvw',
    async make(stack, { accountId }, environment) {
      const id = newId('rvw', Date.now())
      await stack.sql(
        `insert into reviews (id, account_id, environment, type, resource_id, reason, reminds_at, escalates_at,
           created_at, updated_at)
         values (?, ?, ?, 'payout', ?, 'A reason', now(), now(), now(), now())`,
        [id, accountId, environment, newId('pay', Date.now())],
      )
      return { id }
    },
    async makeByCalls(stack, { keys }) {
      const destination = await register(keys.sandbox.merchant, 'NGN', leftOpen)
      const [review] = await stack.sql<{ id: string }>('select id from reviews where resource_id = ?', [destination.id])
      return { id: review?.id ?? '' }
    },
  },
}

const { NGN, USD, EUR, wallet_KES, USDT_TRC20 } = destinations
const rails = [NGN, USD, EUR, wallet_KES, USDT_TRC20]

export const routes: Routes = {
  'POST /v1/payouts': {
    body: { destination: newId('pd', Date.now()), amount: '10.00' },
    bodies: ({ destination }) => [
      {
        destination,
        amount: '10.00',
        reference: 'r',
        description: 'd',
        metadata: { a: 'b' },
        source_currency: 'USD',
      },
    ],
  },
  'POST /v1/payouts/estimate': {
    body: { destination: newId('pd', Date.now()), amount: '10.00' },
    bodies: ({ destination }) => [
      { destination, amount: '10.00' },
      { destination, quote_id: 'quo_x', source_currency: 'USD' },
    ],
  },
  'GET /v1/payouts': {},
  'GET /v1/payouts/{payout_id}': {},
  'GET /api/v1/admin/payouts/{payout_id}': {},
  'POST /api/v1/admin/payouts/{payout_id}/review': { body: { decision: 'approve' } },
  'GET /api/v1/admin/stuck': {},
  'POST /v1/payouts/destinations': {
    body: { name: 'Main', ...destinations.NGN },
    bodies: () => [
      { name: 'A', ...USD, metadata: { a: 'b' }, is_default: true },
      ...rails.map((routing) => ({ name: 'A', ...routing })),
    ],
  },
  'GET /v1/payouts/destinations': {},
  'POST /v1/payouts/destinations/resolve': {
    body: { currency: 'NGN', bank_code: destinations.NGN.bank_code, account_number: destinations.NGN.account_number },
  },
  'GET /v1/payouts/destinations/{destination_id}': {},
  'PATCH /v1/payouts/destinations/{destination_id}': {
    body: { name: 'Another name' },
    bodies: () => [
      ...rails,
      { ...wallet_KES, network: 'ERC20', wallet_address: '0x', account_name: 'A', destination_type: 'bank_account' },
    ],
  },
  'DELETE /v1/payouts/destinations/{destination_id}': {},
  'GET /v1/reference/banks': {},
  'GET /api/v1/admin/payout-destinations/{destination_id}': {},
  'POST /api/v1/admin/payout-destinations/{destination_id}/review': {
    body: { decision: 'approve' },
    bodies: () => [{ decision: 'reject', reason: 'r', review_id: 'x' }],
  },
  'GET /api/v1/admin/reviews': {},
  'GET /api/v1/admin/reviews/counts': {},
  'POST /api/v1/admin/reviews/{review_id}/claim': {},
  'POST /v1/test-helpers/payouts/{payout_id}/settle': { body: {} },
}

export const processes: Processes = {
  payout: {
    begun: 'payouts',
    unfinished: `select id, account_id, environment from payouts
      where status in ('requested', 'pending', 'approved', 'processing')`,
  },
  'payout-destination': {
    begun: 'payout_destinations',
    unfinished: `select id, account_id, environment from payout_destinations
      where status = 'pending_review' and deactivated_at is null`,
  },
  'payout-schedule': {
    begun: '(select id from payout_schedules where next_run_at is not null)',
    unfinished: 'select id, account_id, environment from payout_schedules where next_run_at is not null',
  },
}
