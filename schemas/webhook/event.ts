import Type, { type Static } from 'typebox'
import { type EventType, eventTypes } from '../../domain/webhook/event.ts'
import { id, iso, Timestamp } from '../common.ts'
import { sampleEvent } from '../event-sample.ts'

/** An event in the API: its envelope, and the values that a delivery has in its headers. */
export const eventFields = {
  id: id('evt'),
  type: Type.Enum([...eventTypes]),
  created_at: Timestamp,
  // Only for a connected account, so that its platform can see whose event it is.
  account_id: Type.Optional(id('acct')),
  data: Type.Record(Type.String(), Type.Unknown(), { description: 'The payload of this type.' }),
  resource_id: Type.String(),
  sequence: Type.Integer({ description: 'The value of `X-Service-Sequence`.' }),
}

export const WebhookEvent = Type.Object(eventFields, { $id: 'WebhookEvent' })

type Shown = Static<typeof WebhookEvent>
type StoredEvent = { body: string; resourceId: string; sequence: number | string | bigint }

export const presentEvent = ({ body, resourceId, sequence }: StoredEvent): Shown => ({
  ...(JSON.parse(body) as Pick<Shown, 'id' | 'type' | 'created_at' | 'account_id' | 'data'>),
  resource_id: resourceId,
  sequence: Number(sequence),
})

/** The sale in a test event: the only payload whose `amount` is a number (docs/contract/webhook.md, "Test event"). */
const testSale = {
  reference: 'test-reference',
  status: 'success',
  amount: 100,
  currency: 'USD',
  settlement_amount: '100.00',
  settlement_currency: 'USD',
  customer: { email: 'customer@example.com', name: 'Test Customer' },
  checkout_id: null,
  payment_method_details: null,
}

/** The payload of a test event of this type, with the time `at` (ms since the epoch). */
export const testPayload = (type: EventType, at: number): Record<string, unknown> =>
  type === 'collection.succeeded'
    ? { test: true, ...testSale, completed_at: iso(new Date(at)) }
    : { test: true, ...sampleEvent(type, at).data }
