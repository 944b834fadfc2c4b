import { newId } from '../../../domain/id.ts'
import { actionsOn } from '../../../domain/operator-action.ts'
import { withEndpoints } from '../endpoints.ts'
import type { Makers, Routes } from '../resource.ts'
import { until } from '../until.ts'
import { makers as refunds } from './refund.ts'

export const makers: Makers = {
  // Staff read a resource of any kind under this name.
  ...(refunds['refund_id'] && { resource_id: refunds['refund_id'] }),
  delivery_id: {
    prefix: 'dlv',
    async make(stack, { accountId }, environment) {
      const [id, eventId, endpointId] = [newId('dlv', Date.now()), newId('evt', Date.now()), newId('we', Date.now())]
      await stack.sql(
        `insert into deliveries (id, account_id, environment, event_id, event_type, endpoint_id, status, created_at,
           completed_at)
         values (?, ?, ?, ?, 'refund.paid', ?, 'skipped', now(), now())`,
        [id, accountId, environment, eventId, endpointId],
      )
      return { id }
    },
    /** One to a receiver that is away. */
    async makeByCalls(_stack, { keys }) {
      const { add, happen, deliveries } = withEndpoints(keys.sandbox.merchant)
      const endpoint = await add({ url: 'http://127.0.0.1:9/hooks', events: ['refund.paid'] })
      await happen('refund.paid')
      let found: { delivery_id: string }[] = []
      await until(async () => (found = await deliveries(endpoint)).length > 0, 'the delivery is made')
      return { id: found[0]?.delivery_id ?? '' }
    },
  },
  request_id: {
    prefix: 'req',
    async make(stack, { accountId }, environment) {
      const id = newId('req', Date.now())
      await stack.sql(
        `insert into request_logs (id, account_id, environment, request_id, method, route, path, status, error_fields,
           source, is_replay, duration_ms, created_at)
         values (?, ?, ?, ?, 'GET', '/v1/payments', '/v1/payments', 200, '{}', 'api', false, 5, now())`,
        [id, accountId, environment, id.slice(4)],
      )
      return { id }
    },
  },
}

const resources = [
  '/v1/checkout-sessions/{checkout_id}',
  '/v1/payments/{payment_id}',
  '/v1/refunds/{refund_id}',
  '/v1/payouts/{payout_id}',
  '/v1/payouts/destinations/{destination_id}',
  '/v1/conversions/{conversion_id}',
  '/v1/webhooks/deliveries/{delivery_id}',
  '/v1/subscriptions/{subscription_id}',
  '/v1/invoices/{invoice_id}',
  '/v1/disputes/{dispute_id}',
]

/** The resources on which staff can act. */
const acted = {
  payout: 'payouts/{payout_id}',
  refund: 'refunds/{refund_id}',
  conversion: 'conversions/{conversion_id}',
  payment: 'payments/{payment_id}',
  webhook_delivery: 'webhook-deliveries/{delivery_id}',
  dispute: 'disputes/{dispute_id}',
}

export const routes: Routes = {
  'GET /v1/agenda': {},
  'GET /v1/request-logs': {},
  'GET /v1/request-logs/{request_id}': {},
  ...Object.fromEntries(
    resources.flatMap((path) => [`GET ${path}/timeline`, `GET ${path}/agenda`].map((route) => [route, {}])),
  ),
  'GET /v1/webhooks/endpoints/{endpoint_id}/agenda': {},
  'GET /api/v1/admin/timelines/{resource_id}': {},
  'GET /api/v1/admin/resources/{resource_id}': {},
  'GET /api/v1/admin/audit-entries': {},
  'GET /api/v1/admin/disputes/{dispute_id}': {},
  ...Object.fromEntries(
    Object.entries(acted).flatMap(([resource, path]) =>
      actionsOn[resource as keyof typeof acted].map((action) => {
        const proof = action === 'mark_settled' ? { proof_ref: 'P-1' } : {}
        return [`POST /api/v1/admin/${path}/${action.replace('_', '-')}`, { body: { reason: 'A reason', ...proof } }]
      }),
    ),
  ),
}
