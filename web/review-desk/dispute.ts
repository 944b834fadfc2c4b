import type { Context } from 'koa'
import type { Static } from 'typebox'
import type { StaffDispute } from '../../schemas/sight/staff-dispute.ts'
import type { Answer } from '../api.ts'
import { goTo, pageOf, type Site } from '../site.ts'
import { disputeReasonWords, disputeStatusNames, resolutionNames } from '../sight/dispute-words.ts'
import { shownEvidence } from '../sight/evidence-form.ts'
import { shownTimeline } from '../sight/timeline.ts'
import { type Fact as TimedFact, factsOf as withTimes } from '../sight/dashboard-lists.ts'
import { money, timeOf } from '../words.ts'
import { actionNotice, addActions, shownActions } from './actions.ts'
import { type Fact, type FormState, idIn, merchantFact, nothingTyped } from './page.ts'

type Shown = Static<typeof StaffDispute>

/** `/ops/disputes/{id}`: a dispute with its payment, its evidence, what it waits for, and the actions of staff. */
export function addDisputePage(site: Site): void {
  const { home, sessions, read, show, showRefused } = site
  const readDispute = (ctx: Context): Promise<Answer<Shown>> =>
    sessions.call(ctx, 'GET', `/api/v1/admin/disputes/${idIn(ctx)}`)

  async function showDispute(ctx: Context, formState: FormState): Promise<void> {
    const answer = await readDispute(ctx)
    if (!answer.ok) return showRefused(ctx, answer.refused)
    const { dispute, documents, timeline } = answer.body
    const path = `${home}/disputes/${dispute.dispute_id}`
    const data = {
      isSignedIn: true,
      form: '',
      typed: nothingTyped,
      ...formState,
      id: dispute.dispute_id,
      state: disputeStatusNames[dispute.status],
      facts: factsOf(home, answer.body),
      further: withTimes(furtherFacts(answer.body)),
      wait: waitOf(answer.body),
      reason: disputeReasonWords[dispute.reason],
      isSubmitted: dispute.submission_count > 0,
      evidence: shownEvidence(dispute.evidence, documents, path),
      acting: shownActions(timeline, path, formState),
      helps: timeline.helps,
      process: timeline.process,
      auditOf: dispute.dispute_id,
      timeline: shownTimeline(timeline, { home, isForStaff: true }),
    }
    const title = `Dispute of ${money(dispute.amount, dispute.currency)}`
    show(ctx, pageOf('ops/dispute', title, data, formState.status ?? 200))
  }

  read('/disputes/:id', (ctx) => showDispute(ctx, { notice: actionNotice(ctx, 'dispute') }))

  // Each visit gets a new link, as one opens a document for five minutes only.
  async function openDocument(ctx: Context): Promise<void> {
    const answer = await readDispute(ctx)
    if (!answer.ok) return showRefused(ctx, answer.refused)
    const { document } = ctx['params'] as { document: string }
    const found = answer.body.documents.find(({ document_id: id }) => id === document)
    goTo(ctx, found ? found.url : `${home}/disputes/${idIn(ctx)}`)
  }

  read('/disputes/:id/documents/:document', openDocument, { isLanding: false })

  addActions(site, {
    folder: 'disputes',
    show: showDispute,
    factsOf: async (ctx) => {
      const answer = await readDispute(ctx)
      return answer.ok ? { ok: true, body: factsOf(home, answer.body) } : answer
    },
  })
}

/** What tells this dispute from others. */
const factsOf = (home: string, { account, environment, dispute, network_dispute_id: networkId }: Shown): Fact[] => [
  merchantFact(account.name, environment),
  ['Amount', money(dispute.amount, dispute.currency)],
  ['Network’s id', networkId],
  ['Payment', dispute.payment_id, `${home}/timelines/${dispute.payment_id}`],
]

function furtherFacts({ dispute, payment }: Shown): TimedFact[] {
  const { currency } = payment
  const isRefunded = payment.refund_status !== 'none'
  return [
    ['Fee', dispute.status === 'early_warning' ? null : money(dispute.fee, dispute.currency)],
    ['Buyer', dispute.customer?.name ?? dispute.customer?.email ?? null],
    ['Network’s code', dispute.network_reason_code],
    ['Amount paid', money(payment.amount, currency)],
    ['Paid', timeOf(payment.completed_at)],
    ['Refunded of it', isRefunded ? money(payment.refunded_amount, currency) : null],
    ['Opened', timeOf(dispute.created_at)],
    ['Evidence until', timeOf(dispute.evidence_due_at)],
    ['Evidence submitted', timeOf(dispute.submitted_at)],
    ['Ended', timeOf(dispute.resolved_at)],
    ['Why it ended', dispute.resolution && resolutionNames[dispute.resolution]],
  ]
}

/** What a dispute waits for, in a sentence. */
function waitOf({ dispute, timeline }: Shown): string {
  if (timeline.wake_reason === 'network_notice')
    return 'The card network does not know the merchant’s answer yet. It is sent again and again until it is taken.'
  return {
    early_warning: 'The bank has announced a dispute. The merchant may refund the payment, which prevents it.',
    needs_response: 'Awaiting the merchant’s answer. Without one it is lost at the deadline.',
    under_review: 'The card network decides. It is asked every day; that takes weeks.',
    won: 'Closed. No action needed.',
    lost: 'Closed. No action needed.',
    prevented: 'Closed. No action needed.',
  }[dispute.status]
}
