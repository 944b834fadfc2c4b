import type { Context } from 'koa'
import type { Static } from 'typebox'
import type { DisputeDocument } from '../../schemas/dispute/document.ts'
import type { Answer } from '../api.ts'
import { formResultOf } from '../form-result.ts'
import { goTo, pageOf, type Site } from '../site.ts'
import { money } from '../words.ts'
import { isUnread, keyIn, newFormKey, noticeIn, readAllowed } from './board-form.ts'
import { idIn, showUnread } from './dashboard-lists.ts'
import type { Shown } from './dashboard-resources.ts'
import { addEvidenceForm, type UnsavedEvidence } from './dispute-evidence.ts'
import { type Documents, type ShownDispute } from './dispute-page.ts'
import { disputeReasonWords } from './dispute-words.ts'
import { errorsIn, shownEvidence, versionOf, withTyped } from './evidence-form.ts'

/**
 * The forms on the page of a dispute, in the folder of the disputes: the evidence, its submission and the acceptance,
 * each of these with a second page that asks whether it is meant; and the documents, opened by a link of the API.
 */
export function addDisputeForms(site: Site, folder: string, showOne: (ctx: Context, shown?: Shown) => Promise<void>) {
  const { home, sessions, read, submit, show, showRefused } = site
  const path = folder.slice(home.length)
  const apiPath = (ctx: Context) => `/v1/disputes/${idIn(ctx)}`
  const pagePath = (ctx: Context) => `${folder}/${idIn(ctx)}`
  const readDispute = (ctx: Context) => sessions.call<ShownDispute>(ctx, 'GET', apiPath(ctx))

  /** The dispute, for somebody who may answer it. */
  const readToAnswer = (ctx: Context) => readAllowed<ShownDispute>(site, ctx, apiPath(ctx), 'disputes:write')

  const askToSubmitUnsaved = (ctx: Context, row: ShownDispute, unsaved: UnsavedEvidence, isChanged: boolean) =>
    askAboutEvidence(ctx, row, unsaved, isChanged ? changedMeanwhile : null)
  addEvidenceForm(site, folder, { showOne, askToSubmit: askToSubmitUnsaved })

  /** Shows a page that asks for a confirmation; with the key of its form a second press changes nothing. */
  function ask(
    ctx: Context,
    kind: 'submit' | 'accept',
    row: ShownDispute,
    data: object,
    changed: string | null = null,
  ) {
    const isWarning = row.status === 'early_warning'
    const title = kind === 'submit' ? 'Submit the evidence?' : isWarning ? 'Refund in full?' : 'Accept the dispute?'
    const common = { isSignedIn: true, at: path, path: pagePath(ctx), formKey: newFormKey(), problem: changed }
    const about = { ...common, heading: headingOf(row), isWarning, as: row.status }
    show(ctx, pageOf(`dashboard/dispute-${kind}`, title, { ...about, ...data }, changed ? 409 : 200))
  }

  async function askToSubmit(ctx: Context, changed: string | null = null): Promise<void> {
    const answer = await readToAnswer(ctx)
    if (!answer.ok) return showUnread(site, ctx, answer.refused)
    const row = answer.body
    if (row.status !== 'needs_response') return goTo(ctx, `${pagePath(ctx)}?done=now`)
    if (!row.has_evidence) return goTo(ctx, `${pagePath(ctx)}?done=empty`)
    await askAboutEvidence(ctx, row, null, changed)
  }

  /** Shows the evidence that would be submitted. What is not stored is submitted from this page. */
  async function askAboutEvidence(
    ctx: Context,
    row: ShownDispute,
    unsaved: UnsavedEvidence | null,
    changed: string | null,
  ): Promise<void> {
    const documents = await sessions.call<Documents>(ctx, 'GET', `${apiPath(ctx)}/documents`)
    if (!documents.ok) return showRefused(ctx, documents.refused)
    const whole = withTyped(row.evidence, unsaved?.typed ?? {})
    const evidence = shownEvidence(whole, documents.body.items, pagePath(ctx))
    ask(ctx, 'submit', row, { evidence, version: versionOf(row.evidence), unsaved }, changed)
  }

  async function askToAccept(ctx: Context, changed: string | null = null): Promise<void> {
    const answer = await readToAnswer(ctx)
    if (!answer.ok) return showUnread(site, ctx, answer.refused)
    const row = answer.body
    if (row.status !== 'needs_response' && row.status !== 'early_warning') return goTo(ctx, `${pagePath(ctx)}?done=now`)
    ask(ctx, 'accept', row, { amount: money(row.amount, row.currency), fee: money(row.fee, row.currency) }, changed)
  }

  /** Goes back to the page with what has become of a form. One that came too late is told how the dispute stands. */
  async function conclude(ctx: Context, answer: Answer<ShownDispute>, done: string): Promise<void> {
    if (answer.ok) return goTo(ctx, `${pagePath(ctx)}?done=${done}`)
    const { refused } = answer
    if (refused.code === 'CONFLICT') return goTo(ctx, `${pagePath(ctx)}?done=now`)
    if (isUnread(refused)) return showUnread(site, ctx, refused)
    const errors = errorsIn(refused.errors, {})
    if (Object.keys(errors).length === 0) return showOne(ctx, formResultOf(refused))
    // A text that was stored before it was looked at: it is told of in the form, where it can be changed.
    await showOne(ctx, { status: refused.status, errors, problem: 'Not submitted. Check what is marked below.' })
  }

  read(`${path}/:id/submit`, (ctx) => askToSubmit(ctx))
  submit(`${path}/:id/submit`, async (ctx, form) => {
    const before = await readDispute(ctx)
    if (!before.ok) return showUnread(site, ctx, before.refused)
    // What is submitted is what this person has just read, also where somebody else has changed it meanwhile.
    if (form.get('version') !== versionOf(before.body.evidence)) return askToSubmit(ctx, changedMeanwhile)
    const body = { submit: true }
    const answer = await sessions.call<ShownDispute>(ctx, 'PATCH', `${apiPath(ctx)}/evidence`, body, keyIn(form))
    await conclude(ctx, answer, 'submitted')
  })

  read(`${path}/:id/accept`, (ctx) => askToAccept(ctx))
  submit(`${path}/:id/accept`, async (ctx, form) => {
    const before = await readDispute(ctx)
    if (!before.ok) return showUnread(site, ctx, before.refused)
    const { status } = before.body
    // To accept a warning is a refund, and to accept a dispute is to lose it: it is what this person has just read.
    const isAsSeen = form.get('as') === status
    if (!isAsSeen && (status === 'needs_response' || status === 'early_warning'))
      return askToAccept(ctx, standsOtherwise)
    const answer = await sessions.call<ShownDispute>(ctx, 'POST', `${apiPath(ctx)}/accept`, undefined, keyIn(form))
    await conclude(ctx, answer, form.get('as') === 'early_warning' ? 'refunded' : 'accepted')
  })

  // Each visit gets a new link, as one opens a document for five minutes only.
  async function openDocument(ctx: Context): Promise<void> {
    const { document } = ctx['params'] as { document: string }
    const where = `${apiPath(ctx)}/documents/${encodeURIComponent(document)}`
    const answer = await sessions.call<Static<typeof DisputeDocument>>(ctx, 'GET', where)
    if (!answer.ok) return showUnread(site, ctx, answer.refused)
    goTo(ctx, answer.body.url)
  }

  read(`${path}/:id/documents/:document`, openDocument, { isLanding: false })
}

const headingOf = (row: ShownDispute): string =>
  `${money(row.amount, row.currency)}: ${disputeReasonWords[row.reason].name}`

const changedMeanwhile = 'The evidence has been changed since you opened this page. Read it again before you submit it.'
const standsOtherwise = 'The dispute has changed since you opened this page. Read what happens now before you go on.'

const notices: Record<string, string> = {
  saved: 'Draft saved. It is not sent before you submit it.',
  added: 'Draft saved, and document added. Nothing is sent before you submit it.',
  empty: 'There is nothing to submit yet. Fill in at least one field beside those that we have filled in.',
  submitted: 'Evidence submitted. The card network decides now.',
  accepted: 'Dispute accepted.',
  refunded: 'The refund is on its way. It prevents the dispute once it is paid.',
  now: 'The dispute has changed meanwhile. This is its current state.',
}

/** What has become of the form before, as the address of the page tells it. */
export const disputeNotice = (ctx: Context): string | null => noticeIn(ctx, notices)
