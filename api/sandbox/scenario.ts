import { organizationOf } from '../../db/core/account.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { TestClock } from '../../db/core/test-clock.ts'
import { Event } from '../../db/webhook/event.ts'
import { membersInOrder, readHappenings } from '../../db/sight/happenings.ts'
import { type FieldError, Refusal } from '../../domain/refusal.ts'
import { withStableNames } from '../../domain/sandbox/stable-names.ts'
import { refusalIn } from '../../engine/refusals.ts'
import { iso } from '../../schemas/common.ts'
import {
  presentScenarioEvent,
  RanScenario,
  type RanStep,
  RunScenario,
  type Step,
  type StepKind,
  stepKinds,
} from '../../schemas/sandbox/scenario.ts'
import { presentHappening } from '../../schemas/sandbox/test-clock.ts'
import { assertSandbox } from '../http/assert-sandbox.ts'
import { errorObject } from '../http/error-object.ts'
import { type Caller, operation } from '../http/operation.ts'
import type { Within } from '../http/run-operation.ts'
import type { Services } from '../http/services.ts'
import { createTurns } from '../http/turns.ts'
import { receiverMembers } from './scenario-receiver.ts'
import { type Running, steps as acts } from './scenario-steps.ts'
import { makeClock, type NewClock, settleClock, validateFrozenTime } from './test-clock.ts'

/** When a scenario with a seed begins, unless it says so itself. */
const seededTime = '2030-01-01T00:00:00.000Z'
/** After this long no further step is begun, in milliseconds. */
const patienceMs = 50_000

/**
 * Scenarios of an organization, with its connected accounts, whose steps this process makes at a time: the clock of
 * each holds a place of a worker.
 */
const scenariosMax = 3
const turns = createTurns(() => scenariosMax, {
  ms: 20_000,
  refusal: () => {
    const words = `${scenariosMax} scenarios of this organization are running, and others wait; try again`
    return new Refusal('SERVICE_UNAVAILABLE', words, [], 5)
  },
})

export const runScenario = operation({
  method: 'post',
  path: '/v1/test-helpers/scenarios',
  tag: 'Test clocks',
  summary: 'Run a scenario on a test clock of its own, and list all its events',
  auth: ['apiKey'],
  scope: 'test_helpers:write',
  mode: 'process',
  makes: 'clk',
  needs: 'sells',
  body: RunScenario,
  validate: validateScenario,
  returns: [200, RanScenario],
  refuses: ['CONFLICT', 'SIMULATION_NOT_ALLOWED'],

  async handle({ body, caller, now, callId: clock_id, commit, services, count, assertMaySell, em }) {
    assertSandbox(caller)
    const { name = null, seed = null } = body
    const frozen = new Date(body.frozen_time ?? (seed === null ? now : seededTime))
    const named = { name: name ?? 'A scenario', frozen_time: iso(frozen) }
    const clock = { id: clock_id, time: frozen.getTime() }
    const running: Running = { within: { caller, services, count, assertMaySell, clock }, session: null }
    const begin = () => commit((tx) => makeOwnClock(tx, caller, { ...named, id: clock_id, now }))
    const holder = await organizationOf(em, caller.accountId)
    const steps = await turns.take(holder, () => begin().then(() => runSteps(running, body.steps)))
    const log = await readLog(services, clock_id, { from: frozen, to: new Date(running.within.clock.time) })
    const ran = { clock_id, frozen_time: iso(new Date(running.within.clock.time)), steps, ...log }
    return { name, seed, ...(seed === null ? ran : withStableNames(ran, seed)) }
  },
})

/** Refuses a repeated call whose steps were begun: made again, they would sell everything a second time. */
async function makeOwnClock(em: EntityManager, caller: Caller, made: NewClock): Promise<void> {
  const { id } = made
  if ((await em.count(TestClock, { id })) > 0)
    throw new Refusal('CONFLICT', `this scenario was cut off: look at its clock ${id}, or run it with another key`)
  makeClock(em, caller, made)
}

function validateScenario(body: { steps?: unknown; frozen_time?: unknown }): FieldError[] {
  const inSteps = Array.isArray(body.steps) ? body.steps.flatMap(validateStep) : []
  return [...validateFrozenTime(body), ...inSteps]
}

/** A step has one kind. Kinds that do not exist are found by the schema check. */
function validateStep(step: unknown, index: number): FieldError[] {
  const named = typeof step === 'object' && step !== null ? Object.keys(step).length : 1
  if (named === 1) return []
  return [{ field: `steps.${index}`, message: `must be one of ${stepKinds.join(', ')}`, type: 'value_error' }]
}

/** Makes the steps one after the other. The first one that fails ends the scenario: the later ones are skipped. */
async function runSteps(running: Running, steps: readonly Step[]): Promise<RanStep[]> {
  const ran: RanStep[] = []
  const begun = performance.now()
  for (const [index, step] of steps.entries()) {
    const kind = stepKinds.find((each) => step[each] !== undefined) ?? 'wait'
    if (ran.at(-1)?.status === 'failed' || ran.at(-1)?.status === 'skipped') {
      ran.push({ index, kind, status: 'skipped', at: null })
      continue
    }
    const error = await runStep(running, kind, step, performance.now() - begun)
    const at = iso(new Date(running.within.clock.time))
    ran.push(error ? { index, kind, status: 'failed', at, error } : { index, kind, status: 'done', at })
  }
  return ran
}

/** Makes a step, and waits until all that it causes at the clock's time has been done. Returns why it failed. */
async function runStep(
  running: Running,
  kind: StepKind,
  step: Step,
  sinceMs: number,
): Promise<RanStep['error'] | null> {
  try {
    if (sinceMs > patienceMs) throw new Refusal('CONFLICT', 'the scenario takes too long: give it fewer steps')
    const act = acts[kind] as (running: Running, value: unknown) => Promise<unknown>
    await act(running, step[kind])
    await waitForClock(running.within)
    return null
  } catch (error) {
    const refused = error instanceof Refusal ? error : refusalIn(error)
    if (!refused) throw error
    return errorObject(refused, running.within.services.config)
  }
}

/** Waits until all that is due at the clock's time has been done. */
async function waitForClock({ services, caller, clock }: Within): Promise<void> {
  const { target } = await settleClock(services, caller, clock.id)
  if (target) throw new Refusal('CONFLICT', 'the effects of the step take too long')
}

/**
 * Everything that has happened to what the scenario has made. Of the deliveries it has only those to the scenario's own
 * receiver: the others depend on the account's receivers.
 */
async function readLog({ database }: Services, clockId: string, { from, to }: { from: Date; to: Date }) {
  const em = database.orm.em.fork()
  const members = await membersInOrder(em, clockId)
  const events = await em.find(Event, { resourceId: { $in: members }, body: { $ne: '' } }, { orderBy: { sequence: 1 } })
  const happened = await readHappenings(em, clockId, { afterItem: 0n, from, to })
  const told = [...members, ...(await receiverMembers(em, clockId))]
  const place = new Map(told.map((id, index) => [id, index]))
  const placeOf = ({ resourceId }: { resourceId: string }) => place.get(resourceId) ?? told.length
  return {
    events: events.map(presentScenarioEvent),
    happened: happened
      .filter(({ resourceId }) => place.has(resourceId))
      .toSorted((one, other) => one.at.getTime() - other.at.getTime() || placeOf(one) - placeOf(other))
      .map(presentHappening),
  }
}
