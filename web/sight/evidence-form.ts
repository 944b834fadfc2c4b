import { createHash } from 'node:crypto'
import type { Static } from 'typebox'
import type { DisputeReason } from '../../domain/dispute/dispute.ts'
import {
  attachmentOf,
  type DocumentPurpose,
  documentPurposes,
  type EvidenceAttachment,
  type EvidenceField,
  evidenceKeys,
  evidenceTextKeys,
  evidenceTextMax,
  evidenceTotalMax,
} from '../../domain/dispute/evidence.ts'
import { isOneOf } from '../../domain/narrow.ts'
import type { FieldError } from '../../domain/refusal.ts'
import type { DisputeDocument } from '../../schemas/dispute/document.ts'
import type { Evidence } from '../../schemas/dispute/evidence.ts'
import type { InputErrors } from '../form-result.ts'
import { figure, timeOf } from '../words.ts'
import {
  disputeReasonWords,
  type EvidenceGroup,
  evidenceGroups,
  evidenceWords,
  purposeNames,
  purposesInOrder,
} from './dispute-words.ts'
import { clashWords, compareTexts, openedTexts, openedWith, type Texts, withPlainBreaks } from '../opened-form.ts'

// The form of the evidence: what is typed into it, what of that is sent, and how it is shown.

type Stored = Static<typeof Evidence>
type Document = Static<typeof DisputeDocument>

/** What a form says of the evidence: only the fields that it has. */
export type TypedEvidence = Partial<Record<EvidenceField, string>>

/** The evidence in a form. Browsers send a line break as two characters, and the API counts characters. */
export function typedIn(fields: URLSearchParams): TypedEvidence {
  const typed: TypedEvidence = {}
  for (const key of evidenceKeys) {
    const value = fields.get(key)
    if (value === null) continue
    const isId = key === 'duplicate_charge_id'
    typed[key] = isId || value.trim() === '' ? value.trim() : withPlainBreaks(value)
  }
  return typed
}

export function purposeIn(fields: URLSearchParams): DocumentPurpose {
  const purpose = fields.get('purpose')
  return isOneOf(documentPurposes, purpose) ? purpose : 'uncategorized'
}

/** What a form changes of the evidence that is stored. */
export const changesIn = (typed: TypedEvidence, stored: Stored): TypedEvidence =>
  Object.fromEntries(
    evidenceKeys.flatMap((key) => {
      const value = typed[key]
      return value === undefined || value === withPlainBreaks(stored[key] ?? '') ? [] : [[key, value]]
    }),
  )

/** The evidence as it would be stored with what was typed: an empty text leaves a field out. */
export const withTyped = (stored: Stored, typed: TypedEvidence): Stored => ({
  ...stored,
  ...Object.fromEntries(Object.entries(typed).map(([key, value]) => [key, value === '' ? null : value])),
})

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32)

/** The fields that are given, each in short: a form says so what it was opened with, and texts are long. */
const digestsOf = (given: TypedEvidence | Stored): Texts =>
  new Map(
    evidenceKeys.flatMap((key) => {
      const text = given[key]
      return text === undefined ? [] : [[key, digestOf(withPlainBreaks(text ?? ''))]]
    }),
  )

/**
 * What this person has changed in a form. `errors` are at what somebody else has changed too, so that it is not saved
 * at once; what only somebody else has changed shows what stands there now. `added` is the field of the document that
 * comes with the form.
 */
export function editsIn(
  fields: URLSearchParams,
  stored: Stored,
  added: EvidenceAttachment | null,
): { typed: TypedEvidence; errors: InputErrors } {
  const typed = typedIn(fields)
  const opened = openedTexts(fields, 'opened_with') ?? new Map<string, string>()
  const now = digestsOf(stored)
  const { changed, clashes } = compareTexts(digestsOf(typed), opened, now)
  const edited = evidenceKeys.filter((key) => changed.includes(key))
  return {
    typed: Object.fromEntries(edited.map((key) => [key, typed[key]])),
    errors: {
      ...Object.fromEntries(
        edited.filter((key) => clashes.has(key)).map((key) => [key, clashIn(key, stored[key] ?? '')]),
      ),
      ...(added && opened.get(added) !== now.get(added) && { [added]: chosenMeanwhile }),
    },
  }
}

const chosenMeanwhile =
  'Somebody else has chosen otherwise here meanwhile. Choose your file again to replace their choice.'
const clashShownMax = 300

const clashIn = (key: EvidenceField, now: string): string => {
  if (!isOneOf(evidenceTextKeys, key)) return 'Somebody else has chosen otherwise meanwhile. Save again to replace it.'
  return clashWords(now.length > clashShownMax ? `${now.slice(0, clashShownMax)}…` : now)
}

/** Names the evidence that a page has shown, so that it is known whether it has been changed since. */
export const versionOf = (evidence: Stored): string =>
  createHash('sha256')
    .update(JSON.stringify(evidenceKeys.map((key) => evidence[key])))
    .digest('hex')
    .slice(0, 32)

/** The errors of a form, at its fields; that of all texts together is above the form. */
export function errorsIn(errors: readonly FieldError[], typed: TypedEvidence): InputErrors {
  const found: InputErrors = {}
  for (const { field, type } of errors) {
    if (!isOneOf(evidenceKeys, field)) continue
    const words = field === 'duplicate_charge_id' ? noOtherPayment : unfit
    found[field] = type === 'value_error.range' ? tooLong(typed[field] ?? '') : words
  }
  return found
}

const tooLong = (text: string): string =>
  `At most ${figure(String(evidenceTextMax))} characters. This has ${figure(String(text.length))}.`
const unfit = 'This has characters that cannot be sent. Type it again, or choose another document.'
const noOtherPayment = 'Enter the id of another payment of yours. It begins with pay_. Or leave this empty.'

const totalMax = figure(String(evidenceTotalMax))
export const tooLongTogether = `All texts together are too long. At most ${totalMax} characters are allowed.`

/** The texts and documents of evidence, as they are read. Empty ones are left out. */
export function shownEvidence(stored: Stored, documents: readonly Document[], folder: string) {
  const groups = groupKeys.flatMap((key) => {
    const fields = evidenceGroups[key].fields.flatMap((name) => {
      const text = stored[name]
      return text === null ? [] : [{ label: evidenceWords[name].label, text }]
    })
    return fields.length === 0 ? [] : [{ title: evidenceGroups[key].title, fields }]
  })
  const sent = documentPurposes.map((purpose) => stored[attachmentOf(purpose)])
  const attached = documents.filter(({ document_id: id }) => sent.includes(id))
  return { groups, documents: attached.map((document) => shownDocument(document, folder)) }
}

const groupKeys = Object.keys(evidenceGroups) as EvidenceGroup[]

function shownDocument({ document_id: id, file_name: name, purpose, uploaded_at: at }: Document, folder: string) {
  const purposeName = isOneOf(documentPurposes, purpose) ? purposeNames[purpose] : purpose
  return { id, name, purposeName, link: `${folder}/documents/${id}`, uploaded: timeOf(at) }
}

type Filling = { stored: Stored; typed: TypedEvidence; errors: InputErrors; reason: DisputeReason }

/** The data of the form: its groups, and the documents of each purpose, of which one can be sent. */
export function evidenceForm(
  { stored, typed, errors, reason }: Filling,
  documents: readonly Document[],
  folder: string,
  purpose: DocumentPurpose | null,
) {
  const valueOf = (key: EvidenceField) => typed[key] ?? stored[key] ?? ''
  const wanted = disputeReasonWords[reason].groups
  const groups = groupKeys.map((key) => {
    const fields = evidenceGroups[key].fields.map((name) => ({
      ...evidenceWords[name],
      name,
      value: valueOf(name),
      error: errors[name],
    }))
    // What we have filled in about the buyer needs no look.
    const isFilled = key !== 'customer' && fields.some(({ value }) => value !== '')
    const isOpen = wanted.includes(key) || isFilled || fields.some(({ error }) => error)
    return { key, title: evidenceGroups[key].title, isWanted: wanted.includes(key), fields, isOpen }
  })
  const attachments = purposesInOrder.flatMap((each) => {
    const options = documents.filter((document) => document.purpose === each)
    if (options.length === 0) return []
    const name = attachmentOf(each)
    const attached = valueOf(name)
    return {
      name,
      title: purposeNames[each],
      error: errors[name],
      isNone: attached === '',
      options: options.map((document) => ({
        ...shownDocument(document, folder),
        isChosen: document.document_id === attached,
      })),
    }
  })
  const chosen = purpose ?? disputeReasonWords[reason].document
  const purposes = purposesInOrder.map((value) => ({ value, name: purposeNames[value], isChosen: value === chosen }))
  return {
    groups,
    attachments,
    purposes,
    opened: openedWith(Object.fromEntries(digestsOf(stored))),
    textMax: evidenceTextMax,
  }
}

/** What was typed and could not be stored, so that nobody has to type it again. */
export const unsavedIn = (typed: TypedEvidence, stored: Stored | null) =>
  evidenceTextKeys.flatMap((key) => {
    const text = typed[key]
    return text === undefined || text === '' || text === stored?.[key]
      ? []
      : [{ label: evidenceWords[key].label, name: key, text }]
  })
