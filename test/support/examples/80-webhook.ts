import { until } from '../until.ts'
import type { Stories } from '../examples.ts'

const one = '/v1/webhooks/endpoints/{endpoint_id}'

export const stories: Stories = {
  async webhooks({ show, known, call, stack }) {
    await show('PUT /api/v1/notifications/webhooks/configuration', {
      body: { webhook_url: 'https://example.com/webhooks', webhook_secret: 'an-example-secret' },
    })
    await show('POST /api/v1/notifications/webhooks/test')
    const made = await show('POST /v1/webhooks/endpoints', {
      body: { url: 'https://example.com/hooks', events: ['collection.succeeded', 'refund.paid'] },
    })
    known['endpoint_id'] = String(made['endpoint_id'])
    await show(`PATCH ${one}`, { body: { description: 'The warehouse' } })
    await show(`GET ${one}/secret`)
    await show(`POST ${one}/secret/rotate`, { body: {} })
    await show(`POST ${one}/test`, { body: { type: 'refund.paid' } })
    await show('POST /v1/test-helpers/events/trigger', { body: { type: 'refund.paid' } })
    await show('GET /v1/events/stream', { query: { types: 'refund.paid', after: 0, max_seconds: 0 } })
    const { body } = await call('GET', '/v1/webhooks/events?limit=1')
    const [event] = (body as unknown as { items: { id: string; event_id: string }[] }).items
    known['event_id'] = String(event?.event_id ?? event?.id)
    await show('POST /v1/webhooks/events/{event_id}/resend', { body: {} })
    const [delivery] = await stack.sql<{ id: string }>('select id from deliveries where endpoint_id = ? limit 1', [
      known['endpoint_id'],
    ])
    known['delivery_id'] = String(delivery?.id)
    const since = new Date((await stack.clock.now()) - 3_600_000).toISOString()
    const recovery = await show(`POST ${one}/recover`, { body: { since } })
    known['recovery_id'] = String(recovery['recovery_id'])
    const old = await call('POST', '/v1/webhooks/endpoints', { url: 'https://example.com/old' })
    const kept = String(known['endpoint_id'])
    await show(`DELETE ${one}`, { params: { endpoint_id: String(old.body['endpoint_id']) } })
    known['endpoint_id'] = kept
  },

  async requestLogs({ show, known, call, stack }) {
    const { headers } = await call('POST', '/v1/customers', {})
    const id = headers.get('x-request-id') ?? ''
    const rows = () => stack.sql('select from request_logs where request_id = ?', [id])
    await until(async () => (await rows()).length === 1, 'the call is in the log')
    known['request_id'] = id
    await show('GET /v1/request-logs', { query: { status: '4xx', path: '/v1/customers', limit: 1 } })
  },
}
