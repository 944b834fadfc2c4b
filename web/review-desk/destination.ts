import type { Context } from 'koa'
import type { Static } from 'typebox'
import type { ReviewDeskDestination } from '../../schemas/payout/review-desk.ts'
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
import { holderFacts } from './holder.ts'
import { goTo, type Site } from '../site.ts'
import { formResultOf } from '../form-result.ts'

type Shown = Static<typeof ReviewDeskDestination>

/** `/ops/destinations/{id}`: a payout destination and its review. */
export function addDestinationPage(site: Site): void {
  const { home, problems, sessions, read, submit, show, showRefused } = site

  async function showDestination(ctx: Context, formState: FormState): Promise<void> {
    const answer = await readResource<Shown>(site, ctx, `/api/v1/admin/payout-destinations/${idIn(ctx)}`)
    if (!answer.ok) return showRefused(ctx, answer.refused)
    show(ctx, destinationPage(answer.body, formState))
  }

  read('/destinations/:id', (ctx) =>
    showDestination(ctx, { notice: ctx.query['done'] === '1' ? 'Decision saved.' : null }),
  )

  submit('/destinations/:id/review', async (ctx, form) => {
    const path = `/api/v1/admin/payout-destinations/${idIn(ctx)}/review`
    const answer = await sessions.call(ctx, 'POST', path, decisionIn(form))
    if (answer.ok) return goTo(ctx, `${home}/destinations/${idIn(ctx)}?done=1`)
    if (isForbidden(answer.refused)) return showRefused(ctx, answer.refused)
    const result = formResultOf(answer.refused, { ...problems, CONFLICT: decidedMeanwhile })
    await showDestination(ctx, { ...result, form: 'decide', typed: typedIn(form) })
  })
}

const types: Record<string, string> = {
  bank_account: 'Bank account',
  mobile_money: 'Mobile money',
  crypto_wallet: 'Crypto wallet',
}

const decidedMeanwhile =
  'Not saved: someone else has decided or claimed it, or the merchant has changed it. This is its current state.'

const waits: Record<string, string> = {
  pending_review: 'Awaiting a decision. Until then, no payout can go there.',
  approved: 'Approved. No action needed.',
  rejected: 'Permanently rejected. No action needed.',
}

function destinationPage(shown: Shown & Sight, formState: FormState) {
  const { destination: to } = shown
  const facts: Fact[] = [
    ['Type', `${types[to.type]} in ${to.currency}`],
    ['Merchant’s name for it', to.name],
    ...holderFacts(to.account_name, shown.holder_at_bank),
    ['Bank', to.bank_name],
    ['Bank code', to.bank_code],
    ['Account number', to.account_number],
    ['Scheme', to.scheme],
    ['Provider', to.mobile_provider],
    ['Phone number', to.phone_number],
    ['Network', to.network],
    ['Wallet address', to.wallet_address],
    ['Rejected because', to.status_reason],
  ]
  return reviewDeskPage('ops/destination', to.name, shown, formState, {
    destination: to,
    facts,
    wait: to.deactivated_at === null ? waits[to.status] : 'Removed by the merchant. No action needed.',
  })
}
