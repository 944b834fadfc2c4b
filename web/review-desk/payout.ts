import type { Context } from 'koa'
import type { Static } from 'typebox'
import type { ReviewDeskPayout } from '../../schemas/payout/review-desk.ts'
import {
  decisionIn,
  reviewDeskPage,
  type Fact,
  idIn,
  isForbidden,
  type FormState,
  readResource,
  type Sight,
  typedIn,
} from './page.ts'
import { endingIn, timeOf } from './words.ts'
import { goTo, pageOf, type Site } from '../site.ts'
import { formResultOf } from '../form-result.ts'
import { money } from '../words.ts'

type Shown = Static<typeof ReviewDeskPayout>

const actions = ['review', 'retry', 'mark-settled', 'mark-failed']

/** `/ops/payouts/{id}`: the state of a payout, what it waits for, its timeline, and the operator actions. */
export function addPayoutPage(site: Site): void {
  const { home, problems, sessions, read, submit, show, showRefused } = site
  const pathOf = (ctx: Context) => `/api/v1/admin/payouts/${idIn(ctx)}`

  async function showPayout(ctx: Context, formState: FormState): Promise<void> {
    const answer = await readResource<Shown>(site, ctx, pathOf(ctx))
    if (!answer.ok) return showRefused(ctx, answer.refused)
    show(ctx, payoutPage(home, answer.body, formState))
  }

  read('/payouts/:id', (ctx) => showPayout(ctx, { notice: noticeOf(ctx) }))

  submit('/payouts/:id/:action', async (ctx, form) => {
    const { action = '' } = ctx['params'] as { action?: string }
    if (!actions.includes(action)) return goTo(ctx, `${home}/payouts/${idIn(ctx)}`)
    if (action === 'mark-failed' && typedIn(form).reason && !form.has('confirmed')) return confirm(ctx, form)
    const path = `${pathOf(ctx)}/${action}`
    const body = action === 'review' ? decisionIn(form) : actionIn(form)
    const answer = await sessions.call<{ state?: string }>(ctx, 'POST', path, body)
    if (answer.ok) return goTo(ctx, `${home}/payouts/${idIn(ctx)}?done=${answer.body.state ?? 'review'}`)
    if (isForbidden(answer.refused)) return showRefused(ctx, answer.refused)
    const result = formResultOf(answer.refused, { ...problems, CONFLICT: changedMeanwhile })
    await showPayout(ctx, { ...result, form: form.get('form') ?? '', typed: typedIn(form) })
  })

  /** Asks to confirm `mark-failed`, because money that was given back cannot be taken again. */
  async function confirm(ctx: Context, form: URLSearchParams): Promise<void> {
    const answer = await sessions.call<Shown>(ctx, 'GET', pathOf(ctx))
    if (!answer.ok) return showRefused(ctx, answer.refused)
    const { payout, account, environment, proposals } = answer.body
    const proposal = proposals.find(({ action, is_own }) => action === 'mark_failed' && !is_own)
    const facts = [...orderFacts(home, answer.body), ...destinationFacts(answer.body)].filter(([, value]) => value)
    const data = { isSignedIn: true, payout, account, environment, facts }
    const { reason } = typedIn(form)
    const from = form.get('form') ?? ''
    show(ctx, pageOf('ops/confirm', 'Mark this payout as failed?', { ...data, reason, from, isApproval: proposal }))
  }
}

const actionIn = (form: URLSearchParams): object => {
  const { reason, proof_ref } = typedIn(form)
  return { reason, ...(form.has('proof_ref') && { proof_ref }) }
}

const changedMeanwhile =
  'Not saved: the payout’s status has changed, the provider reports a different outcome, or someone else has decided ' +
  'or claimed it. This is its current state.'

const notices: Record<string, string> = {
  review: 'Decision saved.',
  awaiting_second_approval: 'Proposed. The amount is high, so a second person must approve it.',
  executed: 'Done.',
  approved: 'Done. The payout is being processed.',
}
const noticeOf = ({ query }: Context): string | null => notices[String(query['done'])] ?? null

/** What a payout waits for, in a sentence, by its status. */
function waitOf({ payout, review, stuck_since: stuck }: Shown): string {
  if (payout.status === 'requested') return 'Being checked.'
  if (payout.status === 'approved') return 'About to be sent to the provider.'
  if (payout.status === 'pending') {
    return review?.escalated_at ? 'Awaiting a decision. Escalated to a lead.' : 'Awaiting a decision.'
  }
  if (payout.status !== 'processing') return 'Closed. No action needed.'
  if (!stuck) return 'Awaiting the provider’s confirmation. We ask for it automatically.'
  return 'No provider confirmation for over an hour. We ask again every day; you can ask now.'
}

const orderFacts = (home: string, { payout, destination }: Shown): Fact[] => [
  ['Amount', money(payout.amount, payout.currency)],
  ['Destination', destination.name, `${home}/destinations/${destination.id}`],
]

/** Where the money goes: what staff need to distinguish accounts. */
const destinationFacts = ({ destination: to }: Shown): Fact[] => [
  ['Account holder', to.account_name],
  ['Bank', to.bank_name ?? to.bank_code],
  ['Account', endingIn(to.account_number?.slice(-4) ?? null)],
  ['Mobile money', to.mobile_provider],
  ['Phone number', endingIn(to.phone_number?.slice(-4) ?? null)],
  ['Network', to.network],
  ['Wallet address', endingIn(to.wallet_address?.slice(-4) ?? null)],
]

function payoutPage(home: string, shown: Shown & Sight, formState: FormState) {
  const { payout, people, proposals } = shown
  const facts: Fact[] = [
    ...orderFacts(home, shown),
    ...destinationFacts(shown),
    ['Total debited', money(payout.total_debited, payout.source_currency)],
    ['Fee included', money(payout.fee, payout.source_currency)],
    ['Reference', payout.reference],
    ['Held', payout.hold_reason],
    ['Provider reference', payout.trace_id],
    ['Failed because', payout.failure_reason],
  ]
  const isProposed = (action: string) => proposals.some((proposal) => proposal.action === action)
  return reviewDeskPage('ops/payout', `Payout of ${money(payout.amount, payout.currency)}`, shown, formState, {
    payout,
    facts,
    wait: waitOf(shown),
    stuck: timeOf(shown.stuck_since),
    canAct: payout.status === 'processing',
    canSettle: !isProposed('mark_settled'),
    canFail: !isProposed('mark_failed'),
    proposals: proposals.map((proposal) => ({
      ...proposal,
      by: people[proposal.proposed_by] ?? proposal.proposed_by,
      time: timeOf(proposal.created_at),
    })),
  })
}
