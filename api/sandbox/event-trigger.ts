import Type from 'typebox'
import { recordEvent } from '../../db/core/record-event.ts'
import { eventTypes } from '../../domain/webhook/event.ts'
import { sampleEvent } from '../../schemas/event-sample.ts'
import { presentEvent, WebhookEvent } from '../../schemas/webhook/event.ts'
import { operation } from '../http/operation.ts'
import { assertSandbox } from '../http/assert-sandbox.ts'

export const triggerEvent = operation({
  method: 'post',
  path: '/v1/test-helpers/events/trigger',
  summary: 'Send a sample event of any type; its resource does not exist',
  tag: 'Test helpers',
  auth: ['apiKey'],
  scope: 'test_helpers:write',
  body: Type.Object({ type: Type.Enum([...eventTypes]) }, { $id: 'TriggerEvent' }),
  returns: [201, WebhookEvent],
  refuses: ['SIMULATION_NOT_ALLOWED'],

  async handle({ body: { type }, caller, em, now }) {
    assertSandbox(caller)
    const { resourceId, data } = sampleEvent(type, now)
    const event = await recordEvent(em, caller, { type, resourceId, data }, now)
    await em.flush() // the database counts the events
    return presentEvent(event)
  },
})
