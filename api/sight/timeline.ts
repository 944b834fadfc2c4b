import Type, { type Static } from 'typebox'
import { namesOf } from '../../db/access/user.ts'
import { type Wait, waitsOf } from '../../db/sight/agenda.ts'
import { type Note, readNotes } from '../../db/sight/timeline.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { clockTimeOf } from '../../db/core/test-clock.ts'
import { hourMs, minuteMs } from '../../domain/duration.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { ShownResource } from '../../domain/sight/agenda.ts'
import { helpFor, isNews } from '../../domain/sight/stuck-help.ts'
import type { Step } from '../../domain/sight/timeline.ts'
import { idParameter, iso } from '../../schemas/common.ts'
import { presentStanding, presentStep, StaffTimeline, Timeline } from '../../schemas/sight/timeline.ts'
import { readActionStanding } from './action-standing.ts'
import { staffOf } from '../http/staff.ts'
import { type Call, type Operation, operation } from '../http/operation.ts'
import type { Services } from '../http/services.ts'
import { processLink } from './process-link.ts'
import { oneOf, type Seen, type SeenResource, seenResources } from './resources.ts'

/** `GET /v1/{resource}/{id}/timeline`: what has happened to a resource and what it waits for. */
const timelineOf = ({ path, parameter, prefix, tag, scope, resource, read }: SeenResource): Operation =>
  operation({
    method: 'get',
    path: `${path}/{${parameter}}/timeline`,
    summary: `Read what has happened to ${oneOf(resource)} and what it waits for`,
    tag,
    auth: ['apiKey'],
    scope,
    params: Type.Object({ [parameter]: idParameter(prefix) }),
    returns: [200, Timeline],
    refuses: ['NOT_FOUND'],

    async handle({ params, caller: { accountId, environment }, em, now }) {
      const id = String(params[parameter])
      const seen = await read(em, { id, accountId, environment })
      if (!seen) throw new Refusal('NOT_FOUND', `no such ${resource.replaceAll('_', ' ')}`)
      return { resource, ...(await standing(em, seen, now)), items: seen.steps.map(presentStep) }
    },
  })

async function standing(em: EntityManager, seen: Seen, now: number) {
  const { id, accountId, environment, status, steps, waiting } = seen
  const waits = await waitsOf(em, { accountId, environment }, waiting, now)
  const at = await timeOfSeen(em, seen, now)
  return { resource_id: id, status, as_of: iso(new Date(at)), ...presentStanding(steps, waits) }
}

/** The time by which its waits are early or late, in ms since the epoch. Nothing is written by it. */
const timeOfSeen = async (em: EntityManager, seen: Seen, now: number): Promise<number> =>
  (await clockTimeOf(em, seen)) ?? now

const readStaffTimeline = operation({
  method: 'get',
  path: '/api/v1/admin/timelines/{resource_id}',
  summary: 'Read everything that has happened to a resource, who did it and why, and what staff can do now',
  tag: 'Reviews',
  auth: ['user'],
  scope: null,
  forStaff: true,
  params: Type.Object({ resource_id: Type.String({ maxLength: 64, examples: ['pay_…'] }) }),
  returns: [200, StaffTimeline],
  refuses: ['FORBIDDEN', 'NOT_FOUND'],

  handle: ({ params, ...asking }) => showStaffTimeline(asking, params.resource_id),
})

type Asking = Pick<Call<undefined, undefined, undefined>, 'caller' | 'em' | 'now' | 'services'>

/** The timeline of any resource, as staff read it. */
export async function showStaffTimeline(
  { caller, em, now, services }: Asking,
  id: string,
): Promise<Static<typeof StaffTimeline>> {
  // Payments and payouts share a prefix, and never an id.
  for (const { resource, prefix, read } of seenResources) {
    const seen = id.startsWith(`${prefix}_`) ? await read(em, { id }) : null
    if (!seen) continue
    const possible = await readActionStanding(em, resource, seen.id, staffOf(caller))
    return { resource, ...(await staffTimelineOf(em, services, { resource, ...seen }, now)), ...possible }
  }
  throw new Refusal('NOT_FOUND', 'no such resource')
}

/** All that staff may know about a resource, with the address of its process in the Temporal UI. */
async function staffTimelineOf(
  em: EntityManager,
  { config }: Services,
  seen: Seen & { resource: ShownResource },
  now: number,
) {
  const waits = await waitsOf(em, seen, seen.waiting, now)
  const at = await timeOfSeen(em, seen, now)
  const notes = await readNotes(em, seen.id)
  const names = await namesOf(
    em,
    [...seen.steps, ...notes].map(({ userId }) => userId),
  )
  const user = (id: string | null) => (id === null ? null : { id, name: names[id] ?? id })
  const steps = seen.steps.map((step) => ({ ...presentStep(step), user: user(step.userId), reason: null }))
  const noted = notes.map((note) => ({
    ...presentStep(stepOf(seen.id, note)),
    user: user(note.userId),
    reason: note.reason,
  }))
  return {
    resource_id: seen.id,
    status: seen.status,
    as_of: iso(new Date(at)),
    ...presentStanding(seen.steps, waits),
    helps: helpOf(seen, waits, at),
    items: [...steps, ...noted].toSorted((one, other) => one.at.localeCompare(other.at)),
    account_id: seen.accountId,
    environment: seen.environment,
    process: processLink(config, ...seen.process),
  }
}

/** A wait is overdue this long after its moment, and an outsider is silent after `silentAfterMs`. */
const overdueAfterMs = 5 * minuteMs
const silentAfterMs = hourMs

/** What helps, as in the list of what is stuck; null while nothing is late by the time of the resource. */
function helpOf({ id, process: [process], status }: Seen, waits: readonly Wait[], at: number) {
  const wait = waits.find(({ waitingOn }) => waitingOn !== 'maturity')
  if (!wait) return null
  const { waitingOn: on, reason, since, wakesAt } = wait
  const passed = (moment: Date, ms: number) => at - moment.getTime() > ms
  const isOverdue = wakesAt !== null && passed(wakesAt, overdueAfterMs) && passed(since, overdueAfterMs)
  const isSilent = (on === 'rail' || on === 'operator') && passed(since, silentAfterMs)
  if (!isOverdue && !isSilent) return null
  // A resource waits for what belongs to it too, whose pages have the actions on it: an invoice for its subscription.
  const isOwn = wait.id === id
  const kind = isOwn && process === 'deposit' ? 'deposit' : wait.resource
  return helpFor(kind, reason, isOverdue, { ofNews: isNews(wait), status: isOwn ? status : null })
}

/** Who has done a step. What no person has done, our rules have done. */
function actorOf({ step, userId }: Note): Step['actor'] {
  if (userId === null) return 'system'
  return step.startsWith('review.') ? 'reviewer' : 'operator'
}

/** A note about a resource as a step that took no time. */
const stepOf = (resourceId: string, note: Note): Step => ({
  resourceId,
  step: note.step,
  status: 'done',
  at: note.at,
  endedAt: note.at,
  attempts: 0,
  lastError: null,
  actor: actorOf(note),
  userId: note.userId,
  eventIds: [],
  ledgerTransactionIds: [],
})

export const timelineOperations: readonly Operation[] = [...seenResources.map(timelineOf), readStaffTimeline]
