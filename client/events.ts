import { type Answer, type Api, pathSegment } from './api.ts'
import type { Event, EventPage } from './event-source.ts'
import { Failure } from './failure.ts'
import { type Output, paint, plain, shortTime } from './output.ts'

type Attempt = {
  number: number
  at: string
  response_status: number | null
  response_body: string | null
  duration_ms: number
  error: string | null
}
type Delivery = {
  delivery_id: string
  endpoint_id: string
  status: string
  trigger: string
  next_attempt_at: string | null
  attempts: Attempt[]
}
type ShownEvent = Event & { deliveries: Delivery[] }

export async function listEvents({ call }: Api, output: Output, query: { type?: string; limit?: number }) {
  const page = await call<EventPage>({ method: 'GET', path: '/v1/webhooks/events', query })
  output.show(page, ({ items }) => {
    if (items.length === 0) return ['No events.']
    const width = Math.max(...items.map(({ type }) => type.length))
    return items.map((event) =>
      [paint('dim', shortTime(event.created_at)), event.type.padEnd(width), event.id, event.resource_id].join('  '),
    )
  })
}

export async function showEvent({ call }: Api, output: Output, id: string): Promise<void> {
  const path = `/v1/webhooks/events/${pathSegment(id)}`
  output.show(await call<ShownEvent>({ method: 'GET', path }), (event) => [
    `${paint('bold', event.type)}  ${event.id}`,
    `${shortTime(event.created_at)}, sequence ${event.sequence}, about ${event.resource_id}`,
    ...(event.deliveries.length > 0 ? event.deliveries.flatMap(deliveryLines) : ['No deliveries.']),
    ...JSON.stringify(event.data, null, 2).split('\n').map(plain),
  ])
}

/** Resends an event to one endpoint, or to all the endpoints that it was for. */
export async function resendEvent({ call }: Api, output: Output, id: string, endpointId: string | undefined) {
  const path = `/v1/webhooks/events/${pathSegment(id)}/resend`
  const body: Answer = endpointId === undefined ? {} : { endpoint_id: endpointId }
  const sent = await call<{ deliveries: Delivery[] }>({ method: 'POST', path, body })
  if (sent.deliveries.length === 0) {
    throw new Failure('NOT_SENT', `${id} was not resent: no active endpoint takes it. Add an endpoint, then resend it.`)
  }
  output.show(sent, ({ deliveries }) =>
    deliveries.map((delivery) => `${paint('green', '✔')} ${delivery.delivery_id} to ${delivery.endpoint_id}`),
  )
}

const colours: Record<string, 'green' | 'red' | 'yellow'> = { succeeded: 'green', failed: 'red', pending: 'yellow' }

function deliveryLines(delivery: Delivery): string[] {
  const { delivery_id, endpoint_id, status, trigger, next_attempt_at, attempts = [] } = delivery
  const next = next_attempt_at ? `, next attempt ${shortTime(next_attempt_at)}` : ''
  return [
    `  ${paint(colours[status] ?? 'dim', status)}  ${delivery_id} to ${endpoint_id} (${trigger})${next}`,
    ...attempts.map(attemptLine),
  ]
}

function attemptLine({ number, at, response_status, response_body, duration_ms, error }: Attempt): string {
  const result = error === null ? `${response_status}` : [response_status, error].filter(Boolean).join(' ')
  const excerpt = response_body ? `  ${paint('dim', plain(response_body).slice(0, 80))}` : ''
  return `    ${number}.  ${shortTime(at)}  ${result}  ${duration_ms} ms${excerpt}`
}
