import type { Context } from 'koa'
import type { Static } from 'typebox'
import { attachmentOf, type DocumentPurpose, documentBytesMax, documentsMax } from '../../domain/dispute/evidence.ts'
import type { DisputeDocument } from '../../schemas/dispute/document.ts'
import type { Answer, Refused, SentFile } from '../api.ts'
import type { FileForm } from '../file-form.ts'
import { formResultOf, type InputErrors } from '../form-result.ts'
import { goTo, pageOf, type Site } from '../site.ts'
import { refusedUpload, uploadsFullWords } from '../uploads-full.ts'
import { hourMs } from '../../domain/duration.ts'
import { forbidden, isUnread, keyIn, mayDo } from './board-form.ts'
import { idIn } from './dashboard-lists.ts'
import type { Shown } from './dashboard-resources.ts'
import type { ShownDispute } from './dispute-page.ts'
import {
  changesIn,
  editsIn,
  errorsIn,
  purposeIn,
  tooLongTogether,
  type TypedEvidence,
  typedIn,
  unsavedIn,
  versionOf,
} from './evidence-form.ts'

type Document = Static<typeof DisputeDocument>

/** What was typed, and could not be saved as a draft. `opened`: what the form was opened with. */
export type UnsavedEvidence = { typed: TypedEvidence; opened: string }

type Showing = {
  showOne: (ctx: Context, shown?: Shown) => Promise<void>
  /** Asks whether what was typed, with what is stored, is to be submitted. `changed`: the latter has been changed. */
  askToSubmit: (ctx: Context, row: ShownDispute, unsaved: UnsavedEvidence, isChanged: boolean) => Promise<void>
}

/**
 * `/{id}/evidence`: saves the evidence as a draft, with a document if one was chosen. What was typed is shown again
 * where it cannot be saved, whatever the cause. Where drafts have taken too much, it is submitted without a draft.
 */
export function addEvidenceForm(site: Site, folder: string, { showOne, askToSubmit }: Showing): void {
  const { home, sessions, submitFile, show } = site

  submitFile(`${folder.slice(home.length)}/:id/evidence`, documentBytesMax, async (ctx, { fields, file }) => {
    const purpose = purposeIn(fields)
    const path = `/v1/disputes/${idIn(ctx)}`
    const read = await sessions.call<ShownDispute>(ctx, 'GET', path)
    if (!read.ok) return showUnsaved(ctx, read.refused, typedIn(fields))
    if (!mayDo(site, ctx, 'disputes:write')) return showUnsaved(ctx, forbidden, typedIn(fields))
    const stored = read.body.evidence
    // Otherwise the texts of two people who write at once would replace each other without a word.
    const { typed, errors } = editsIn(fields, stored, file && attachmentOf(purpose))
    const keep = { typed, purpose }
    if (Object.keys(errors).length > 0) return showOne(ctx, { ...keep, status: 409, errors, problem: changedMeanwhile })
    const added = file === null ? null : await addFile(ctx, path, file, purpose)
    if (added && !added.ok) return refuse(ctx, added.refused, keep, { file: fileError(added.refused) }, noRoom)
    if (added) typed[attachmentOf(purpose)] = added.body.document_id
    const unsaved = { typed, opened: fields.get('opened_with') ?? '' }
    const isSubmission = fields.get('step') === 'submit'
    const changes = changesIn(typed, stored)
    const isLate = isSubmission && read.body.status !== 'needs_response'
    // Sent twice, or again after an answer that was lost: it stands there as it was typed.
    if (isLate && Object.keys(changes).length === 0) return goTo(ctx, `${folder}/${idIn(ctx)}?done=now`)
    // What is submitted is what this person has just read.
    const isRead = fields.get('version') === versionOf(stored)
    if (isSubmission && !isLate && !isRead) return askToSubmit(ctx, read.body, unsaved, true)
    const body = { ...changes, ...(isSubmission && { submit: true }) }
    const isReview = fields.get('step') === 'review'
    if (Object.keys(body).length > 0) {
      const saved = await sessions.call<ShownDispute>(ctx, 'PATCH', `${path}/evidence`, body, keyIn(fields))
      if (!saved.ok && isReview && hasTooManyDrafts(saved.refused)) return askToSubmit(ctx, read.body, unsaved, false)
      if (!saved.ok) return refuse(ctx, saved.refused, keep, errorsIn(saved.refused.errors, typed))
    }
    const done = isSubmission ? 'submitted' : added ? 'added' : 'saved'
    goTo(ctx, `${folder}/${idIn(ctx)}${isReview ? '/submit' : `?done=${done}`}`)
  })

  /** Uploads a file, and makes it a document of the dispute. */
  async function addFile(
    ctx: Context,
    path: string,
    file: Exclude<FileForm['file'], null>,
    purpose: DocumentPurpose,
  ): Promise<Answer<Document>> {
    if (file === 'too_large') return { ok: false, refused: tooLarge }
    const uploaded = await upload(ctx, file)
    if (!uploaded.ok) return { ok: false, refused: refusedUpload(uploaded.refused) }
    return sessions.call(ctx, 'POST', `${path}/documents`, { file: uploaded.body.upload_id, purpose })
  }

  const upload = (ctx: Context, file: SentFile): Promise<Answer<{ upload_id: string }>> =>
    sessions.call(ctx, 'POST', '/v1/utilities/uploads', undefined, { file })

  /** Shows the page again with what was typed, and says what is wrong with it. */
  async function refuse(
    ctx: Context,
    refused: Refused,
    keep: Keep,
    errors: InputErrors,
    conflict = tooLate,
  ): Promise<void> {
    if (isUnread(refused)) return showUnsaved(ctx, refused, keep.typed)
    const found = Object.entries(errors).filter(([, words]) => words !== undefined)
    const isTogether = refused.errors.some(({ field }) => field === 'body')
    const problem = isTogether
      ? tooLongTogether
      : found.length > 0
        ? 'Not saved. Check what is marked below.'
        : formResultOf(refused, {
            CONFLICT: conflict,
            ...(hasTooManyDrafts(refused) && { TOO_MANY_REQUESTS: tooManyDrafts }),
          }).problem
    await showOne(ctx, { ...keep, status: refused.status, errors: Object.fromEntries(found), problem })
  }

  /** Shows what was typed where the dispute cannot be shown with it. */
  function showUnsaved(ctx: Context, refused: Refused, typed: TypedEvidence): void {
    // The form is given back, to be sent again.
    if (refused.status === 401 || refused.status >= 429) return site.showRefused(ctx, refused)
    const problem = formResultOf(refused, problems).problem ?? ''
    const data = { isSignedIn: true, problem, unsaved: unsavedIn(typed, null), path: `${folder}/${idIn(ctx)}` }
    show(ctx, pageOf('dashboard/unsaved', 'Not saved', data, refused.status))
  }
}

type Keep = { typed: TypedEvidence; purpose: DocumentPurpose }

/** Whether drafts have taken too much: any other limit ends within minutes. */
const hasTooManyDrafts = ({ code, waitSeconds }: Refused): boolean =>
  code === 'TOO_MANY_REQUESTS' && (waitSeconds ?? 0) * 1000 >= hourMs

const tooManyDrafts =
  'Not saved: the drafts of your organization have taken too much in a day. You can submit, or save later.'

const tooLarge: Refused = { status: 422, code: 'TOO_LARGE', errors: [], waitSeconds: null }

/** What is wrong with a file. A refusal that is not about it has no words here. */
function fileError(refused: Refused): string | undefined {
  const { code, errors } = refused
  if (code === 'TOO_LARGE' || errors.some(({ type }) => type === 'value_error.range'))
    return 'Choose a file of at most 5 MB that is not empty.'
  return errors.length > 0 ? 'Choose a PDF, JPEG or PNG.' : uploadsFullWords(refused)
}

const changedMeanwhile =
  'Not saved: somebody has changed the evidence since you opened this page. Save again to replace what is marked below.'
const tooLate =
  'Not saved: the evidence is locked, or the time for it is over. This is the current state of the dispute.'
const noRoom = `Not saved: the evidence is locked, its time is over, or it has ${documentsMax} documents already.`
const problems = {
  FORBIDDEN: 'Not saved: your role does not allow this. Ask an owner or an admin of your organization.',
  NOT_FOUND: 'Not saved: this dispute does not exist.',
}
