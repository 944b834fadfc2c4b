import Type from 'typebox'
import { namesOf } from '../../db/access/user.ts'
import { waitsOf } from '../../db/sight/agenda.ts'
import { readNotes } from '../../db/sight/timeline.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { processId } from '../../domain/processes.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { Step } from '../../domain/sight/timeline.ts'
import { idParameter } from '../../schemas/common.ts'
import { presentStanding, presentStep, StaffTimeline, Timeline } from '../../schemas/sight/timeline.ts'
import { type Operation, operation } from '../http/operation.ts'
import type { Services } from '../http/services.ts'
import { type Seen, type SeenResource, seenResources } from './resources.ts'

/** `GET /v1/{resource}/{id}/timeline`: what has happened to a resource and what it waits for. */
const timelineOf = ({ path, parameter, prefix, tag, scope, resource, read }: SeenResource): Operation =>
  operation({
    method: 'get',
    path: `${path}/{${parameter}}/timeline`,
    summary: `Read what has happened to a ${resource.replaceAll('_', ' ')} and what it waits for`,
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
      return { ...(await standing(em, seen, now)), items: seen.steps.map(presentStep) }
    },
  })

async function standing(em: EntityManager, { id, accountId, environment, status, steps, waiting }: Seen, now: number) {
  const waits = await waitsOf(em, { accountId, environment }, waiting, now)
  return { resource_id: id, status, ...presentStanding(steps, waits) }
}

const readStaffTimeline = operation({
  method: 'get',
  path: '/api/v1/admin/timelines/{resource_id}',
  summary: 'Read everything that has happened to a resource: also who did it and why',
  tag: 'Reviews',
  auth: ['user'],
  scope: null,
  forStaff: true,
  params: Type.Object({ resource_id: Type.String({ maxLength: 64, examples: ['pay_…'] }) }),
  returns: [200, StaffTimeline],
  refuses: ['FORBIDDEN', 'NOT_FOUND'],

  async handle({ params, em, now, services }) {
    const found = await findSeen(em, params.resource_id)
    if (!found) throw new Refusal('NOT_FOUND', 'no such resource')
    return staffTimelineOf(em, services, found, now)
  },
})

/** The resource with this id, of whatever kind. Payments and payouts share a prefix, and never an id. */
async function findSeen(em: EntityManager, id: string): Promise<Seen | null> {
  for (const { prefix, read } of seenResources) {
    const seen = id.startsWith(`${prefix}_`) ? await read(em, { id }) : null
    if (seen) return seen
  }
  return null
}

/** All that staff may know about a resource, with the address of its process in the Temporal UI. */
async function staffTimelineOf(em: EntityManager, { config }: Services, seen: Seen, now: number) {
  const notes = await readNotes(em, seen.id)
  const names = await namesOf(
    em,
    [...seen.steps, ...notes].map(({ userId }) => userId),
  )
  const user = (id: string | null) => (id === null ? null : { id, name: names[id] ?? id })
  const steps = seen.steps.map((step) => ({ ...presentStep(step), user: user(step.userId), reason: null }))
  const noted = notes.map(({ at, step, userId, reason }) => ({
    ...presentStep(momentary(seen.id, step, at)),
    user: user(userId),
    reason,
  }))
  const workflowId = processId(...seen.process)
  const { temporalUiUrl: ui, temporalNamespace: namespace } = config
  const path = `namespaces/${encodeURIComponent(namespace)}/workflows/${encodeURIComponent(workflowId)}`
  return {
    ...(await standing(em, seen, now)),
    items: [...steps, ...noted].toSorted((one, other) => one.at.localeCompare(other.at)),
    account_id: seen.accountId,
    environment: seen.environment,
    process: { workflow_id: workflowId, url: ui && `${ui}/${path}` },
  }
}

/** Something that staff did at a moment, as a step. */
const momentary = (resourceId: string, step: string, at: Date): Step => ({
  resourceId,
  step,
  status: 'done',
  at,
  endedAt: at,
  attempts: 0,
  lastError: null,
  actor: step.startsWith('review.') ? 'reviewer' : 'operator',
  userId: null,
  eventIds: [],
  ledgerTransactionIds: [],
})

export const timelineOperations: readonly Operation[] = [...seenResources.map(timelineOf), readStaffTimeline]
