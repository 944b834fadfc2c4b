import type { EntityName } from '@mikro-orm/core'
import { type Database, type EntityManager, inTransaction, lock } from '../db/core/database.ts'
import { timeOf } from '../db/core/test-clock.ts'
import type { OperatorAction } from '../db/core/operator-action.ts'
import { endsOrder } from '../domain/operator-action.ts'
import { noteOrdered, type Polled } from '../domain/rail-polls.ts'
import { Refusal } from '../domain/refusal.ts'
import { assertOwn, concludeAction, orThrow, readAction, takeUpAction } from './operator-action.ts'
import { answerOrNull } from './answer-or-null.ts'

/** An order at a rail, such as a refund or a conversion. */
type OrderRow = {
  id: string
  clockId?: string | null | undefined
  status: string
  onHoldSince?: Date | null | undefined
} & Polled

/** What staff need to act on orders of one kind. `End` are the statuses in which an order has ended. */
export type RailOrders<Row extends OrderRow, End extends string> = {
  entity: EntityName<Row>
  resourceIdOf: (action: OperatorAction) => string | null
  isEnd: (status: string) => status is End
  ends: { mark_settled: End; mark_failed: End }
  /** Asks the rail for the order's state. */
  lookUp: (id: string) => Promise<string>
  /** Ends the order. The transaction has locked its row. */
  close: (em: EntityManager, row: Row, end: End, at: number) => Promise<void>
}

/**
 * What the process has to do after an action: keep the hold, send the order again, or end. To send it again is called
 * `not_found`, as the process does the same where the rail has no such order; histories have this word.
 */
export type OrderAfterAction<End extends string> = 'on_hold' | 'not_found' | End

/**
 * Carries out an operator action on an order, once. A release and a retry tell the process to send the order again,
 * under its own id. Before an order is marked, its rail is asked, and the rail's word counts for more than the staff's:
 * a mark that contradicts it is refused. A rail that does not answer stops nobody from acting. An action about another
 * order than the process's own, `own`, is refused.
 */
export async function carryOutOnOrder<Row extends OrderRow, End extends string>(
  database: Database,
  orders: RailOrders<Row, End>,
  actionId: string,
  asked: number,
  own?: string,
): Promise<OrderAfterAction<End>> {
  const read = await readAction(database.orm.em.fork(), actionId)
  const id = assertOwn(orders.resourceIdOf(read), own)
  const railAnswer = endsOrder(read.action) ? await answerOrNull(() => orders.lookUp(id)) : null
  return orThrow(await inTransaction(database, (em) => act(em, orders, { id, actionId, railAnswer }, asked)))
}

async function act<Row extends OrderRow, End extends string>(
  em: EntityManager,
  { entity, isEnd, ends, close }: RailOrders<Row, End>,
  { id, actionId, railAnswer }: { id: string; actionId: string; railAnswer: string | null },
  asked: number,
): Promise<OrderAfterAction<End> | Refusal> {
  const row = await lock(em, entity, id)
  const at = await timeOf(em, row, asked)
  const action = await takeUpAction(em, actionId)
  const { status } = row
  if (isEnd(status) && action.state === 'executed') return status
  const refuse = (why: string) => {
    concludeAction(em, action, 'refused', at)
    return new Refusal('CONFLICT', why)
  }
  if (isEnd(status) || action.state === 'refused') return refuse(`the order is ${status}`)
  const mark = action.action
  if (mark === 'mark_settled' || mark === 'mark_failed') {
    if (contradicts(railAnswer, mark === 'mark_settled', ends)) return refuse(`the rail says: ${railAnswer}`)
    await close(em, row, ends[mark], at)
  } else if (action.state !== 'executed') {
    // The hold may have come after the retry was ordered.
    if (mark === 'retry' && row.onHoldSince) return refuse('the order is on hold')
    row.onHoldSince = mark === 'hold' ? new Date(at) : null
    if (mark !== 'hold') noteOrdered(row, at)
  }
  concludeAction(em, action, 'executed', at)
  if (row.onHoldSince) return 'on_hold'
  return isEnd(row.status) ? row.status : 'not_found'
}

/** Whether the rail says the opposite of a mark. What it has sent back, or never had, has not arrived. */
const contradicts = (
  railAnswer: string | null,
  isSettled: boolean,
  ends: { mark_settled: string; mark_failed: string },
) =>
  isSettled ? [ends.mark_failed, 'not_found', 'returned'].includes(railAnswer ?? '') : railAnswer === ends.mark_settled
