import type { Environment } from '../../../domain/access/scope.ts'
import { newId } from '../../../domain/id.ts'
import { sale } from '../merchant.ts'
import { makePayment, type Makers, type Owner, type Processes, type Routes } from '../resource.ts'
import type { Stack } from '../stack.ts'

/** A refund that has failed, and its charge, as the service writes them; nothing is posted. */
async function makeRefund(stack: Stack, owner: Owner, environment: Environment) {
  const { accountId } = owner
  const [refundId, chargeId] = [newId('ref', Date.now()), await makePayment(stack, owner, environment)]
  await stack.sql(
    `insert into refunds (id, account_id, environment, charge_id, reference, currency, requested_amount, fee_amount,
       fee_bearer, status, created_at, updated_at, completed_at)
     values (?, ?, ?, ?, 'return-1', 'USD', 10, 0.3, 'ORG', 'failed', now(), now(), now())`,
    [refundId, accountId, environment, chargeId],
  )
  return { refundId, chargeId }
}

const chargeByCard = ({ keys }: Owner) => keys.sandbox.merchant.chargeByCard({ ...sale, amount: '900.00' })

export const makers: Makers = {
  refund_id: {
    prefix: 'ref',
    make: async (...of) => ({ id: (await makeRefund(...of)).refundId }),
    makeByCalls: async (_stack, owner) => ({
      id: (await owner.keys.sandbox.merchant.refund(await chargeByCard(owner))).refund_id,
    }),
  },
  charge_id: {
    prefix: 'pay',
    make: async (...of) => ({ id: (await makeRefund(...of)).chargeId }),
    makeByCalls: async (_stack, owner) => ({ id: await chargeByCard(owner) }),
  },
}

export const routes: Routes = {
  'POST /api/v1/payments/refunds': {
    body: { charge_id: newId('pay', Date.now()), reference: 'return-1' },
    bodies: ({ charge_id }) => [
      { charge_id, reference: 'r', amount: 1, fee_bearer: 'ORG', reason: 'r' },
      {
        charge_id,
        reference: 'return-1',
        amount: 1.5,
        fee_bearer: 'ORG',
        reason: 'r',
        simulated_outcome: 'failed',
        idempotency_key: 'k',
        refund_address: 'a',
      },
    ],
  },
  'GET /api/v1/payments/refunds': {},
  'GET /api/v1/payments/refunds/{refund_id}': {},
  'GET /api/v1/payments/payins/{charge_id}/refund': {},
}

export const processes: Processes = {
  refund: {
    begun: 'refunds',
    unfinished: `select id, account_id, environment from refunds where status in ('pending', 'processing')`,
  },
}
