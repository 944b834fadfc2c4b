import assert from 'node:assert/strict'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { eventPayloads } from '../../schemas/event.ts'
import { type Stack } from './stack.ts'
import { until } from './until.ts'

/** Asserts that an answer matches its schema and has exactly the named fields. */
export function assertShape(schema: TSchema, value: Record<string, unknown>, fields: string): void {
  const validator = Compile(schema)
  assert.ok(validator.Check(value), JSON.stringify(validator.Errors(value), null, 2))
  assert.deepEqual(Object.keys(value).toSorted(), fields.split(' ').toSorted())
}

/** The fields of a checkout session. */
export const checkoutFields =
  'checkout_id status payment_status recurring source_type payment_link_id amount currency billing_currency ' +
  'description reference charge payment_method customer customer_details success_url cancel_url products ' +
  'platform_fee transfer_amount session_mode metadata created_at updated_at expires_at completed_at'

/** Asserts that every recorded event matches the schema of its type, and returns the types. */
export async function assertEventSchemas(stack: Stack): Promise<Set<string>> {
  await until(
    async () => (await stack.sql(`select 1 from events where type = 'checkout.completed'`)).length > 0,
    'events',
  )
  const events = await stack.sql<{ type: keyof typeof eventPayloads; body: string }>('select type, body from events')
  for (const { type, body } of events) {
    const envelope = JSON.parse(body) as Record<string, unknown>
    assert.deepEqual(Object.keys(envelope), ['id', 'type', 'created_at', 'data'])
    const validator = Compile(eventPayloads[type] as TSchema)
    assert.ok(validator.Check(envelope['data']), `${type} ${JSON.stringify(validator.Errors(envelope['data']))}`)
  }
  return new Set(events.map(({ type }) => type))
}
