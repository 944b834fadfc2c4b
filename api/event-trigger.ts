import Type from 'typebox'
import { recordEvent } from '../db/record-event.ts'
import { eventTypes } from '../domain/event.ts'
import { id, iso, Timestamp } from '../schemas/common.ts'
import { sampleEvent } from '../schemas/event-sample.ts'
import { operation } from './operation.ts'
import { assertSandbox } from './test-helper.ts'

const TriggeredEvent = Type.Object(
  {
    id: id('evt'),
    type: Type.Enum([...eventTypes]),
    created_at: Timestamp,
    data: Type.Record(Type.String(), Type.Unknown(), { description: 'A sample payload of this type.' }),
    resource_id: Type.String(),
    sequence: Type.Integer({ description: 'What `X-Service-Sequence` says.' }),
  },
  { $id: 'TriggeredEvent' },
)

export const triggerEvent = operation({
  method: 'post',
  path: '/v1/test-helpers/events/trigger',
  summary: 'Send an event of the type you want, about a sample that does not exist',
  tag: 'Test helpers',
  auth: ['apiKey'],
  scope: 'test_helpers:write',
  body: Type.Object({ type: Type.Enum([...eventTypes]) }, { $id: 'TriggerEvent' }),
  returns: [201, TriggeredEvent],
  refuses: ['SIMULATION_NOT_ALLOWED'],

  async handle({ body: { type }, caller, em, now }) {
    assertSandbox(caller)
    const { resourceId, data } = sampleEvent(type, now)
    const event = await recordEvent(em, caller, { type, resourceId, data }, now)
    await em.flush() // the database counts the events
    const { createdAt, sequence } = event
    return { id: event.id, type, created_at: iso(createdAt), data, resource_id: resourceId, sequence: Number(sequence) }
  },
})
