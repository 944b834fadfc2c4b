import { newEndpoint, WebhookEndpoint } from '../../../db/webhook/endpoint.ts'
import { Event } from '../../../db/webhook/event.ts'
import { newId } from '../../../domain/id.ts'
import { withEndpoints } from '../endpoints.ts'
import type { Makers, Processes, Routes } from '../resource.ts'

export const makers: Makers = {
  endpoint_id: {
    prefix: 'we',
    async make({ database }, { accountId }, environment) {
      const [id, now] = [newId('we', Date.now()), new Date()]
      await database.orm.em.fork().insert(WebhookEndpoint, {
        id,
        accountId,
        environment,
        createdAt: now,
        updatedAt: now,
        ...newEndpoint,
        events: ['invoice.paid'], // an event that no call of the tests causes
        url: 'http://127.0.0.1:9/hooks',
      })
      return { id }
    },
  },
  recovery_id: {
    prefix: 'rcv',
    async make(stack, { accountId }, environment) {
      const id = newId('rcv', Date.now())
      await stack.sql(
        `insert into webhook_recoveries
           (id, account_id, environment, endpoint_id, since, until, created_at, completed_at)
         values (?, ?, ?, ?, now() - interval '1 hour', now(), now(), now())`,
        [id, accountId, environment, newId('we', Date.now())],
      )
      return { id }
    },
    async makeByCalls(_stack, { keys }) {
      const { add, recover } = withEndpoints(keys.sandbox.merchant)
      const endpoint = await add({ url: 'http://127.0.0.1:9/hooks', events: ['invoice.paid'] })
      const { recovery_id } = await recover(endpoint, { since: new Date(Date.now() - 60_000).toISOString() })
      return { id: String(recovery_id) }
    },
  },
  event_id: {
    prefix: 'evt',
    async make({ database }, { accountId }, environment) {
      const [id, createdAt, type] = [newId('evt', Date.now()), new Date(), 'refund.paid' as const]
      const body = JSON.stringify({ id, type, created_at: createdAt.toISOString(), data: {} })
      const event = { id, accountId, environment, type, resourceId: newId('ref', 0), body, createdAt }
      await database.orm.em.fork().insert(Event, event)
      return { id }
    },
    makeByCalls: async (_stack, { keys }) => ({ id: await withEndpoints(keys.sandbox.merchant).happen() }),
  },
}

export const routes: Routes = {
  'PUT /api/v1/notifications/webhooks/configuration': {
    body: { webhook_url: 'https://example.com/hooks' },
    bodies: () => [{ webhook_url: 'https://example.com', webhook_secret: 'a-secret' }],
  },
  'GET /api/v1/notifications/webhooks/endpoint': {},
  'POST /api/v1/notifications/webhooks/test': {},
  'POST /v1/webhooks/endpoints': { body: { url: 'https://example.com/hooks' } },
  'GET /v1/webhooks/endpoints': {},
  'GET /v1/webhooks/endpoints/{endpoint_id}': {},
  'PATCH /v1/webhooks/endpoints/{endpoint_id}': { body: { description: 'Another' } },
  'DELETE /v1/webhooks/endpoints/{endpoint_id}': {},
  'GET /v1/webhooks/endpoints/{endpoint_id}/secret': {},
  'POST /v1/webhooks/endpoints/{endpoint_id}/secret/rotate': { body: {} },
  'POST /v1/webhooks/endpoints/{endpoint_id}/test': { body: {} },
  'GET /v1/webhooks/endpoints/{endpoint_id}/deliveries': {},
  'GET /v1/webhooks/deliveries/{delivery_id}': {},
  'GET /v1/webhooks/recoveries/{recovery_id}': {},
  'POST /v1/webhooks/endpoints/{endpoint_id}/recover': { body: { since: new Date(Date.now() - 60_000).toISOString() } },
  'GET /v1/events/stream': {},
  'GET /v1/webhooks/events': {},
  'GET /v1/webhooks/events/{event_id}': {},
  'POST /v1/webhooks/events/{event_id}/resend': { body: {} },
}

export const processes: Processes = {
  'webhook-delivery': {
    // A delivery that has ended with its first attempt may have none.
    begun: `(select * from deliveries where status = 'pending' or attempt_count > 1)`,
    unfinished: `select id, account_id, environment from deliveries where status = 'pending'`,
  },
  'webhook-endpoint': {
    begun: '(select * from webhook_endpoints where failing_since is not null)',
    unfinished: `select id, account_id, environment from webhook_endpoints
      where enabled and failing_since is not null`,
  },
  'webhook-recovery': {
    begun: 'webhook_recoveries',
    unfinished: 'select id, account_id, environment from webhook_recoveries where completed_at is null',
  },
}
