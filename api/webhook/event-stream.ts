import Type from 'typebox'
import { type EventType, eventTypes } from '../../domain/webhook/event.ts'
import { isOneOf } from '../../domain/narrow.ts'
import { invalid, mustBeOneOf } from '../../domain/refusal.ts'
import type { FedEvent } from '../../db/webhook/event-feed.ts'
import { presentEvent } from '../../schemas/webhook/event.ts'
import { operation, StreamAnswer, type StreamCaller } from '../http/operation.ts'
import type { Follower, Following } from './event-follower.ts'

/** A stream ends after this time at the latest, so that its caller meets the process that serves now. */
const secondsMax = 900
const quietMs = 15_000
/** How often it is checked that the caller may still read. */
const recheckMs = 3_000
/** After how long a caller whose connection has ended comes back, in milliseconds. */
const comeBackMs = 1_000

/** One event of the stream: generators and checkers read the schema of `text/event-stream` so. */
const EventStream = Type.Object(
  {
    id: Type.String({ pattern: '^[0-9]+$', description: 'The sequence number of the event.' }),
    event: Type.Enum([...eventTypes], { description: 'The type of the event.' }),
    data: Type.String({ contentMediaType: 'application/json', description: 'The event as the list gives it.' }),
  },
  {
    $id: 'EventStream',
    description:
      'Server-sent events, one like this after another. A line that begins with `:` is a comment: one comes every 15 ' +
      'seconds if nothing else does, with the `id` up to which you have all events. The last comment says why the ' +
      'stream ends.',
  },
)

const StreamQuery = Type.Object({
  types: Type.Optional(
    Type.String({
      pattern: '^[a-z_]+(\\.[a-z_]+)+(,[a-z_]+(\\.[a-z_]+)+)*$',
      maxLength: 2000,
      description: 'Only events of these types, separated by commas.',
      examples: ['collection.succeeded,checkout.completed'],
    }),
  ),
  after: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 999_999_999_999_999,
      description: 'Goes on after the event with this sequence number. Left out: with what happens from now on.',
    }),
  ),
  max_seconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: secondsMax,
      default: secondsMax,
      description: 'After how many seconds the stream ends. 0: after what has happened so far.',
    }),
  ),
})

export const streamEvents = operation({
  tag: 'Webhooks',
  auth: ['apiKey'],
  method: 'get',
  path: '/v1/events/stream',
  summary: 'Follow events as they happen, in the order of their sequence',
  scope: 'webhooks:read',
  query: StreamQuery,
  returns: [200, EventStream],
  returnsStream: 'text/event-stream',
  refuses: [],

  async handle({ query, caller, now, services, stream }) {
    const { accountId, environment } = caller
    const place = placeOf(stream.lastEventId, query.after)
    const following = { accountId, environment, types: readTypes(query.types), ...place, holder: stream.holder, now }
    const follower = await services.eventFeed.open(following)
    const seconds = query.max_seconds ?? secondsMax
    const timers = watch(follower, stream, seconds)
    return new StreamAnswer(framesOf(follower, seconds === 0 ? 0 : quietMs), {
      onOpen: (cut) => void (follower.cut = cut),
      onClosed() {
        for (const timer of timers) clearInterval(timer)
        follower.leave()
      },
    })
  },
})

/** The event after which a stream goes on. What a browser sends when it comes back wins over its first address. */
function placeOf(lastEventId: string, after: number | undefined): Pick<Following, 'after' | 'afterField'> {
  const last = readLastEventId(lastEventId)
  return last === null ? { after: after ?? null, afterField: 'after' } : { after: last, afterField: 'Last-Event-ID' }
}

/** The sequence number that a browser or a client sends when it comes back. */
function readLastEventId(sent: string): number | null {
  if (sent === '') return null
  if (/^\d{1,15}$/.test(sent)) return Number(sent)
  throw invalid('Last-Event-ID', 'is not the id of an event of this stream')
}

function readTypes(sent: string | undefined): EventType[] | null {
  if (sent === undefined) return null
  return sent.split(',').map((type) => {
    if (isOneOf(eventTypes, type)) return type
    throw invalid('types', mustBeOneOf(eventTypes), 'value_error.enum')
  })
}

/** Ends a stream after its time, and as soon as its caller may no longer read. */
function watch(follower: Follower, { assertStillAllowed }: StreamCaller, seconds: number): NodeJS.Timeout[] {
  const check = () =>
    assertStillAllowed().catch(() => follower.end('the credential may no longer read these events, or was not checked'))
  return [
    ...(seconds > 0 ? [setTimeout(() => follower.end(`${seconds} seconds are over; come back`), seconds * 1000)] : []),
    setInterval(() => void check(), recheckMs),
  ]
}

async function* framesOf(follower: Follower, waitMs: number): AsyncGenerator<string> {
  yield `retry: ${comeBackMs}\nid: ${follower.position}\n\n`
  while (!follower.ended) {
    const events = await follower.next(waitMs)
    for (const event of events) {
      if (follower.ended) break
      yield frameOf(event)
    }
    if (events.length > 0 || follower.ended) continue
    if (waitMs === 0) follower.end('this was all; come back')
    else yield `: nothing new\nid: ${follower.position}\n\n`
  }
  yield `: ${follower.ended}\n\n`
}

const frameOf = (event: FedEvent): string =>
  `id: ${event.sequence}\nevent: ${event.type}\ndata: ${JSON.stringify(presentEvent(event))}\n\n`
