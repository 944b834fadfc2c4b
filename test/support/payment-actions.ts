import assert from 'node:assert/strict'
import { requestAction } from '../../commands/sight/request-action.ts'
import { inTransaction } from '../../db/core/database.ts'
import type { OperatorActionName } from '../../domain/operator-action.ts'
import type { Dispatch } from '../../engine/engine.ts'
import { refusalIn } from '../../engine/refusals.ts'
import type { Merchant, Reply } from './merchant.ts'
import { holdAtRail } from './rail-books.ts'
import { settled } from './settled.ts'
import type { Stack } from './stack.ts'

export type Session = Awaited<ReturnType<Merchant['createCheckout']>>

/** What staff send; the proof is ignored where none is needed. */
export const order = { reason: 'The provider’s support says so', proof_ref: 'STATEMENT-7' }

/** The state of an action that the API has returned. */
export const stateOf = ({ status, body, text }: Reply) => {
  assert.equal(status, 200, text)
  return String(body['state'])
}

/** Whether an error is the refusal of an update with this code, for `assert.rejects`. */
export const isRefusal = (code: string) => (error: unknown) => refusalIn(error)?.code === code

/** What tests of operator actions on payments ask of a stack. */
export function withPayments(stack: Stack) {
  const about = { accountId: stack.organizationId, environment: 'sandbox', status: '', waitingOn: '', summary: '' }
  const { engine } = stack.services

  /** Waits until the process of a sale only waits. */
  async function waits(checkoutId: string): Promise<void> {
    await stack.dispatched()
    await settled(stack.client, 'checkout', checkoutId)
  }
  return {
    about,
    waits,
    /** A sale whose card the rail has not decided. */
    async held(body?: Record<string, unknown>): Promise<{ session: Session; id: string }> {
      const session = await stack.merchant.createCheckout(body)
      const id = await holdAtRail(stack, session)
      await waits(session.checkout_id)
      return { session, id }
    },
    /** Says that the rail has news about an attempt, also where the sale's process has ended. */
    async sendNews({ checkout_id: resourceId }: Session, paymentId: string): Promise<void> {
      const signal = { name: 'railAnswered', args: [paymentId] }
      await engine.dispatch({ process: 'checkout', resourceId, about, signal } as Dispatch)
      await waits(resourceId)
    },
    /** Stores an action that one person may order alone, without the process being told. Returns its id. */
    approve: (paymentId: string, action: OperatorActionName, userId: string): Promise<string> =>
      inTransaction(stack.database, async (em) => {
        const { reason, proof_ref } = order
        const proofRef = action === 'mark_settled' ? proof_ref : null
        const of = { resource: 'payment' as const, resourceId: paymentId, action, reason, proofRef }
        const by = { userId, address: '10.0.0.1', aloneUpToUsd: '1000000' }
        return (await requestAction(em, { ...of, ...by }, await stack.clock.now())).id
      }),
    /** Tells a sale's process to carry an action out. Another `updateId` makes it a message of its own. */
    carryOut: (
      session: Session,
      update: 'retry' | 'markSettled' | 'markFailed',
      actionId: string,
      updateId = actionId,
    ) => engine.update({ process: 'checkout', resourceId: session.checkout_id, about }, update, [actionId], updateId),
    statusOf: async (id: string) => (await stack.merchant.getPayment(id))['status'],
    saleIs: async ({ checkout_id }: Session) => {
      const { status, payment_status } = await stack.merchant.getCheckout(checkout_id)
      return [status, payment_status]
    },
    audited: async (id: string) =>
      (await stack.sql<{ action: string }>('select action from audit_entries where target = ? order by id', [id])).map(
        ({ action }) => action,
      ),
    statesOf: async (id: string) =>
      (
        await stack.sql<{ state: string }>('select state from operator_actions where resource_id = ? order by id', [id])
      ).map(({ state }) => state),
    /** Who made the last change of a payment, as its timeline says. */
    lastActor: async (id: string) => {
      const [item] = await stack.sql<{ actor: string; user_id: string | null }>(
        'select actor, user_id from timeline_items where resource_id = ? order by id desc limit 1',
        [id],
      )
      return [item?.actor, item?.user_id ?? null]
    },
    /** The movements of a payment in the ledger, by kind. */
    posted: async (id: string) =>
      (
        await stack.sql<{ kind: string }>(
          'select kind from ledger_transactions where source_id = ? or source_id like ? order by kind',
          [id, `${id}/%`],
        )
      ).map(({ kind }) => kind),
    refundsOf: (id: string) =>
      stack.sql<{ reason: string; status: string }>('select reason, status from refunds where charge_id = ?', [id]),
  }
}
