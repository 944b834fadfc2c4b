import type { Context } from 'koa'
import type { Static } from 'typebox'
import { destinationInReview } from '../../domain/payout/destination.ts'
import type { ReviewDeskPayout } from '../../schemas/payout/review-desk.ts'
import { actionNotice, addActions, shownActions } from './actions.ts'
import {
  decisionIn,
  reviewDeskPage,
  type Fact,
  idIn,
  isForbidden,
  type FormState,
  merchantFact,
  readResource,
  type Sight,
  typedIn,
} from './page.ts'
import { holderFacts } from './holder.ts'
import { endingIn } from './words.ts'
import type { Answer } from '../api.ts'
import { goTo, type Site } from '../site.ts'
import { formResultOf } from '../form-result.ts'
import { money, timeOf } from '../words.ts'

type Shown = Static<typeof ReviewDeskPayout>

/** `/ops/payouts/{id}`: the state of a payout, what it waits for, its timeline, its review and the actions of staff. */
export function addPayoutPage(site: Site): void {
  const { home, problems, sessions, read, submit, show, showRefused } = site
  const pathOf = (ctx: Context) => `/api/v1/admin/payouts/${idIn(ctx)}`

  async function showPayout(ctx: Context, formState: FormState): Promise<void> {
    const answer = await readResource<Shown>(site, ctx, pathOf(ctx))
    if (!answer.ok) return showRefused(ctx, answer.refused)
    show(ctx, payoutPage(home, answer.body, formState))
  }

  read('/payouts/:id', (ctx) =>
    showPayout(ctx, { notice: ctx.query['done'] === 'review' ? 'Decision saved.' : actionNotice(ctx, 'payout') }),
  )

  submit('/payouts/:id/review', async (ctx, form) => {
    const answer = await sessions.call(ctx, 'POST', `${pathOf(ctx)}/review`, decisionIn(form))
    if (answer.ok) return goTo(ctx, `${home}/payouts/${idIn(ctx)}?done=review`)
    if (isForbidden(answer.refused)) return showRefused(ctx, answer.refused)
    const isTooEarly = answer.refused.errors.some(({ code }) => code === destinationInReview)
    const CONFLICT = isTooEarly ? tooEarly : decidedMeanwhile
    const result = formResultOf(answer.refused, { ...problems, CONFLICT })
    await showPayout(ctx, { ...result, form: form.get('form') ?? '', typed: typedIn(form) })
  })

  async function factsOf(ctx: Context): Promise<Answer<Fact[]>> {
    const answer = await sessions.call<Shown>(ctx, 'GET', pathOf(ctx))
    if (!answer.ok) return answer
    const { account, environment } = answer.body
    const merchant = merchantFact(account.name, environment)
    return { ok: true, body: [merchant, ...orderFacts(home, answer.body), ...destinationFacts(answer.body)] }
  }

  addActions(site, { folder: 'payouts', show: showPayout, factsOf })
}

const decidedMeanwhile =
  'Not saved: the payout’s status has changed, or someone else has decided or claimed it. This is its current state.'

const tooEarly = 'Not saved: its destination is in review. Decide about the destination first.'

const inReview = 'In review: decide about it first. Until it is approved, nothing is sent to it.'

/** Why no money can go to the destination of a payout that was not sent yet; null where it can, or was sent. */
function obstacleIn({ payout, destination }: Shown): string | null {
  if (!['pending', 'approved'].includes(payout.status)) return null
  const lasting = lastingObstacleIn(payout, destination)
  if (lasting !== null) return `${lasting}. A payout to it fails, and its money goes back.`
  return destination.status === 'approved' ? null : inReview
}

/** What no decision about a destination changes. A payout keeps its currency, and a merchant may restate that. */
function lastingObstacleIn(payout: Shown['payout'], destination: Shown['destination']): string | null {
  if (destination.deactivated_at !== null) return 'Removed by the merchant'
  if (destination.status === 'rejected') return 'Rejected'
  return destination.currency === payout.currency ? null : 'Has another currency'
}

/** What a payout waits for, in a sentence, by its status. Null on hold: its actions tell about that. */
function waitOf({ payout, review, overview, stuck_since: stuck }: Shown & Sight): string | null {
  if (overview.on_hold_since) return null
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

const sentElsewhere =
  'After this payout was sent with the earlier details, not shown here: ask the provider by the payout’s id. A ' +
  'retry, or a release, sends nothing: it cancels the order where the provider still can.'

/** Where the money goes: what staff need to distinguish accounts. */
function destinationFacts(shown: Shown): Fact[] {
  const { destination: to, destination_changed: isChanged } = shown
  return [
    ['Destination status', obstacleIn(shown)],
    ['Destination changed', isChanged ? sentElsewhere : null],
    ...holderFacts(to.account_name, shown.holder_at_bank),
    ['Bank', to.bank_name],
    ['Bank code', to.bank_code],
    ['Account', endingIn(to.account_number?.slice(-4) ?? null)],
    ['Mobile money', to.mobile_provider],
    ['Phone number', endingIn(to.phone_number?.slice(-4) ?? null)],
    ['Network', to.network],
    ['Wallet address', endingIn(to.wallet_address?.slice(-4) ?? null)],
  ]
}

function payoutPage(home: string, shown: Shown & Sight, formState: FormState) {
  const { payout, overview } = shown
  const facts: Fact[] = [
    ...orderFacts(home, shown),
    ...destinationFacts(shown),
    ['Total debited', money(payout.total_debited, payout.source_currency)],
    ['Fee included', money(payout.fee, payout.source_currency)],
    ['Reference', payout.reference],
    ['Held', payout.hold_reason],
    ['Provider reference', payout.trace_id],
    ['Rejected because', payout.status_reason],
    ['Failed because', payout.failure_reason],
  ]
  const stuck = timeOf(shown.stuck_since)
  return reviewDeskPage('ops/payout', `Payout of ${money(payout.amount, payout.currency)}`, shown, formState, {
    payout,
    facts,
    wait: waitOf(shown),
    stuck,
    helps: overview.helps,
    acting: shownActions(overview, `${home}/payouts/${payout.id}`, formState),
  })
}
