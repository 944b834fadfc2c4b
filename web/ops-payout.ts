import type { Context } from 'koa'
import type { Static } from 'typebox'
import type { DeskPayout } from '../schemas/desk.ts'
import { decisionIn, deskPage, idIn, isShut, type Retold } from './ops-desk.ts'
import { timeOf } from './ops-words.ts'
import { goTo, type Site } from './site.ts'
import { told } from './site-words.ts'
import { money } from './words.ts'

type Shown = Static<typeof DeskPayout>

const actions = ['review', 'retry', 'mark-settled', 'mark-failed']

/** `/ops/payouts/{id}`: how a payout stands, what it waits for, all that has happened to it, and what can be done. */
export function addPayoutPage({ home, problems, sessions, read, submit, show, showRefused }: Site): void {
  async function showPayout(ctx: Context, retold: Retold): Promise<void> {
    const answer = await sessions.call<Shown>(ctx, 'GET', `/api/v1/admin/payouts/${idIn(ctx)}`)
    if (!answer.ok) return showRefused(ctx, answer.refused)
    show(ctx, payoutPage(answer.body, retold))
  }

  read('/payouts/:id', (ctx) => showPayout(ctx, { notice: noticeOf(ctx) }))

  submit('/payouts/:id/:action', async (ctx, form) => {
    const { action = '' } = ctx['params'] as { action?: string }
    if (!actions.includes(action)) return goTo(ctx, `${home}/payouts/${idIn(ctx)}`)
    const path = `/api/v1/admin/payouts/${idIn(ctx)}/${action}`
    const body = action === 'review' ? decisionIn(form) : saidIn(form)
    const answer = await sessions.call<{ state?: string }>(ctx, 'POST', path, body)
    if (answer.ok) return goTo(ctx, `${home}/payouts/${idIn(ctx)}?done=${answer.body.state ?? 'review'}`)
    if (isShut(answer.refused)) return showRefused(ctx, answer.refused)
    await showPayout(ctx, { ...told(answer.refused, { ...problems, ...ofActions }), reason: form.get('reason') ?? '' })
  })
}

const saidIn = (form: URLSearchParams): object => ({
  reason: form.get('reason')?.trim() ?? '',
  ...(form.has('proof_ref') && { proof_ref: form.get('proof_ref')?.trim() ?? '' }),
})

const ofActions = {
  CONFLICT: 'That was not possible: the payout has moved on, the rail says otherwise, or somebody else has claimed it.',
}

const notices: Record<string, string> = {
  review: 'Your decision is taken.',
  awaiting_second_approval: 'Noted. The amount is high, so a second person has to do the same before it counts.',
  executed: 'Done.',
  approved: 'Done; the payout’s process is at it.',
}
const noticeOf = ({ query }: Context): string | null => notices[String(query['done'])] ?? null

/** What a payout waits for, in a sentence, by its status. */
function waitOf({ payout, review, stuck_since: stuck }: Shown): string {
  if (payout.status === 'requested') return 'Its process is about to look at it.'
  if (payout.status === 'approved') return 'It is about to be handed to the rail.'
  if (payout.status === 'pending') {
    return review?.escalated_at ? 'It waits for a decision, and somebody above knows.' : 'It waits for a decision.'
  }
  if (payout.status !== 'processing') return 'It has ended and waits for nobody.'
  if (!stuck) return 'It waits for the rail to answer, which is asked by itself.'
  return 'The rail has not answered for more than an hour. It is asked again each day; you can ask it now.'
}

function payoutPage(shown: Shown, retold: Retold) {
  const { payout, destination } = shown
  const facts = [
    ['Amount', money(payout.amount, payout.currency)],
    ['Taken from the balance', money(payout.total_debited, payout.source_currency)],
    ['Fee in it', money(payout.fee, payout.source_currency)],
    ['To', `${destination.name}, ${destination.bank_name ?? destination.mobile_provider ?? destination.network ?? ''}`],
    ['Reference', payout.reference],
    ['Held because', payout.hold_reason],
    ['Rail’s own id', payout.trace_id],
    ['Why it has not arrived', payout.failure_reason],
  ]
  return deskPage('ops/payout', `Payout of ${money(payout.amount, payout.currency)}`, shown, retold, {
    ...{ payout, facts, wait: waitOf(shown) },
    stuck: timeOf(shown.stuck_since),
    canAct: payout.status === 'processing',
    proposals: shown.proposals,
  })
}
