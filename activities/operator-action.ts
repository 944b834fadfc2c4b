import { actsAs, type EntityManager, lock, realTimeOf } from '../db/core/database.ts'
import { auditAction, OperatorAction } from '../db/core/operator-action.ts'
import { Refusal } from '../domain/refusal.ts'

/**
 * Reads the action that a message names. One that does not exist, or that still waits for a second person, is refused:
 * whoever can send a message to a process could otherwise carry out alone what two people have to decide.
 */
export async function readAction(em: EntityManager, actionId: string): Promise<OperatorAction> {
  const action = await em.findOne(OperatorAction, { id: actionId })
  if (!action) throw new Refusal('NOT_FOUND', 'no such operator action')
  assertDecided(action)
  return action
}

/**
 * Refuses an action about another resource than the process's own, `own`, and returns its resource. Processes of a
 * worker from before 2026-11-29 do not say which is theirs.
 */
export function assertOwn(id: string | null, own: string | undefined): string {
  if (id === null || (own !== undefined && id !== own))
    throw new Refusal('NOT_FOUND', 'the action is about another resource')
  return id
}

/** Refuses a proposal, and leaves it as it is: a second person may still approve it. */
function assertDecided({ state }: OperatorAction): void {
  if (state === 'proposed') throw new Refusal('CONFLICT', 'the action awaits the approval of a second person')
}

/** Locks an action. What its transaction changes from now on is the work of the person who ordered it. */
export async function takeUpAction(em: EntityManager, actionId: string): Promise<OperatorAction> {
  const action = await lock(em, OperatorAction, actionId)
  assertDecided(action)
  actsAs(em, 'operator', personOf(action))
  return action
}

/** Who has decided it: the second person, where there is one. */
const personOf = ({ approvedBy, proposedBy }: OperatorAction): string => approvedBy ?? proposedBy

/**
 * Records the outcome of an operator action, also in the audit log. That entry has no address, as it comes from the
 * process and not from a call. Like the order it has the real time, also where the resource is on a test clock.
 */
export function concludeAction(
  em: EntityManager,
  action: OperatorAction,
  state: 'executed' | 'refused',
  at: number,
): void {
  if (action.state === state) return
  Object.assign(action, { state, updatedAt: new Date(realTimeOf(em) ?? at) })
  auditAction(em, action, state, { userId: personOf(action), address: 'process' }, at)
}

/** Throws a refusal that a transaction has returned: only after the commit, so that the action stays refused. */
export function orThrow<T>(done: T | Refusal): T {
  if (done instanceof Refusal) throw done
  return done
}
