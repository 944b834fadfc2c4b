import type { Context } from 'koa'
import type { Refused } from '../api.ts'
import type { FormResult, InputErrors } from '../form-result.ts'
import { goTo, pageOf, stepOf, type Site } from '../site.ts'
import { isUnread, readAllowed, refusedForm } from './board-form.ts'
import { idIn, showUnread } from './dashboard-lists.ts'
import { editsOf, openedWith } from '../opened-form.ts'
import { notSaved } from './edit-form.ts'
import {
  fieldsOfKind,
  type FormField,
  isReviewed,
  type TypedDestination,
  typedIn,
  wordDestination,
  wordsOfField,
} from './destination-fields.ts'
import { placeOf, type ShownDestination } from './payout-words.ts'
import { isolated } from '../isolated.ts'

const common = { isSignedIn: true, at: '/destinations' }

/** A rejected destination can only be renamed. */
const fieldsOf = (row: ShownDestination): FormField[] => (row.status === 'rejected' ? [] : fieldsOfKind(row))

const storedIn = (row: ShownDestination, fields: readonly FormField[]): TypedDestination => ({
  name: row.name,
  ...Object.fromEntries(fields.map(({ name }) => [name, row[name] ?? ''])),
})

/** What differs from what is stored. An input that may be empty and was emptied keeps its value. */
const changesIn = (stored: TypedDestination, typed: TypedDestination, fields: readonly FormField[]) =>
  Object.entries(typed).filter(
    ([name, value]) =>
      value !== stored[name] && (value !== '' || !fields.some((field) => field.name === name && field.isOptional)),
  )

/** What somebody else has changed meanwhile is not undone: of the same field the later person is asked. */
const clashesOf = (errors: InputErrors): FormResult => notSaved({ errors, problem: null, status: 409 })

/**
 * What a form makes of a destination. Where the money goes is one value: the bank that one person has given and the
 * number that another one has given are no account of anybody.
 */
function destinationEdits(form: URLSearchParams, fields: readonly FormField[], stored: TypedDestination) {
  const namesOf = Object.fromEntries(
    fields.map((field) => [field.name, (text: string) => wordsOfField(field, text)] as const),
  )
  const parts = fields.map(({ name }) => name)
  return editsOf(form, typedIn(form, fields), stored, namesOf, parts)
}

/** A field as it is now and as it is to be, or as it stays: a number alone does not say of which bank it is. */
function factsOf(field: FormField, stored: TypedDestination, typed: TypedDestination, isChanged: boolean) {
  const now = wordsOfField(field, stored[field.name] ?? '')
  if (!isChanged) return now === '' ? [] : [{ name: field.label, text: now }]
  return [
    { name: `${field.label}, now`, text: now || 'None' },
    { name: `${field.label}, new`, text: wordsOfField(field, typed[field.name] ?? '') || 'None' },
  ]
}

/** What somebody reads before they change these fields. */
const notesOf = (changed: readonly string[]): string[] => [
  ...(changed.some(isReviewed) ? ['It is reviewed again. Until it is approved, nothing can be paid out to it.'] : []),
  'A payout to it that was accepted and has not been sent yet is held for a review.',
]

/**
 * `/dashboard/destinations/{id}/edit`, `/default` and `/remove`. A change of where money goes, and a removal, are asked
 * once more.
 */
export function addDestinationChanges(site: Site, folder: string): void {
  const { home, sessions, read, submit, show } = site
  const path = `${folder.slice(home.length)}/:id`
  const pageOfId = (ctx: Context) => `${folder}/${idIn(ctx)}`
  const resourceOf = (ctx: Context) => `/v1/payouts/destinations/${idIn(ctx)}`

  /** The destination, for somebody who may change it. */
  const readToChange = (ctx: Context) => readAllowed<ShownDestination>(site, ctx, resourceOf(ctx), 'payouts:write')

  const dataOf = (ctx: Context) => ({
    ...common,
    path: `${pageOfId(ctx)}/edit`,
    back: { link: pageOfId(ctx), words: 'Back to the destination' },
  })

  function showForm(ctx: Context, row: ShownDestination, typed: TypedDestination, result: Partial<FormResult> = {}) {
    const data = {
      heading: 'Edit the destination',
      about: `${isolated(row.name)}: ${row.currency}, ${placeOf(row)}`,
      fields: fieldsOf(row),
      typed,
      isDefault: row.is_default,
      asksDefault: false,
      kind: '',
      opened: openedWith(storedIn(row, fieldsOf(row))),
    }
    const page = { ...dataOf(ctx), ...data, ...result }
    show(ctx, stepOf('dashboard/destination-form', data.heading, page, result.status ?? 200))
  }

  function showQuestion(ctx: Context, row: ShownDestination, typed: TypedDestination, changed: string[]): void {
    const stored = storedIn(row, fieldsOf(row))
    const data = {
      heading: 'Change where the money goes?',
      facts: fieldsOf(row).flatMap((field) => factsOf(field, stored, typed, changed.includes(field.name))),
      hidden: { ...typed, opened_with: openedWith(stored) },
      notes: notesOf(changed),
      button: 'Change it',
    }
    show(ctx, stepOf('dashboard/destination-confirm', data.heading, { ...dataOf(ctx), ...data }))
  }

  function showRefused(ctx: Context, row: ShownDestination, typed: TypedDestination, refused: Refused): void {
    if (isUnread(refused)) return showUnread(site, ctx, refused)
    showForm(ctx, row, typed, wordDestination(refused, fieldsOf(row)))
  }

  read(`${path}/edit`, async (ctx) => {
    const answer = await readToChange(ctx)
    if (!answer.ok) return showUnread(site, ctx, answer.refused)
    if (answer.body.deactivated_at !== null) return goTo(ctx, pageOfId(ctx))
    showForm(ctx, answer.body, storedIn(answer.body, fieldsOf(answer.body)))
  })

  submit(`${path}/edit`, async (ctx, form) => {
    const answer = await readToChange(ctx)
    if (!answer.ok) return showUnread(site, ctx, answer.refused)
    const row = answer.body
    const fields = fieldsOf(row)
    const stored = storedIn(row, fields)
    const { typed, errors } = destinationEdits(form, fields, stored)
    if (form.get('step') === 'back') return showForm(ctx, row, typed)
    if (Object.keys(errors).length > 0) return showForm(ctx, row, typed, clashesOf(errors))
    const changes = changesIn(stored, typed, fields)
    if (changes.length === 0) return goTo(ctx, pageOfId(ctx))
    const changed = changes.map(([name]) => name)
    const isAsked = changed.some((name) => name !== 'name' && name !== 'bank_name')
    if (isAsked && form.get('step') !== 'send') return showQuestion(ctx, row, typed, changed)
    const saved = await sessions.call<ShownDestination>(ctx, 'PATCH', resourceOf(ctx), Object.fromEntries(changes))
    if (!saved.ok) return showRefused(ctx, row, typed, saved.refused)
    goTo(ctx, `${pageOfId(ctx)}?done=${changed.some(isReviewed) ? 'restated' : 'saved'}`)
  })

  submit(`${path}/default`, async (ctx, form) => {
    const isDefault = form.get('is_default') === '1'
    const saved = await sessions.call(ctx, 'PATCH', resourceOf(ctx), { is_default: isDefault })
    if (saved.ok) return goTo(ctx, `${pageOfId(ctx)}?done=${isDefault ? 'default' : 'ordinary'}`)
    if (isUnread(saved.refused)) return showUnread(site, ctx, saved.refused)
    const { status, problem } = refusedForm(saved.refused, {})
    show(ctx, pageOf('site/refused', 'That did not work', { isSignedIn: true, problem }, status))
  })

  read(`${path}/remove`, async (ctx) => {
    const answer = await readToChange(ctx)
    if (!answer.ok) return showUnread(site, ctx, answer.refused)
    if (answer.body.deactivated_at !== null) return goTo(ctx, pageOfId(ctx))
    const { name, currency, is_default: isDefault } = answer.body
    const data = { ...common, path: pageOfId(ctx), name, currency, isDefault, place: placeOf(answer.body) }
    show(ctx, pageOf('dashboard/destination-remove', 'Remove this destination?', data))
  })

  submit(`${path}/remove`, async (ctx) => {
    const removed = await sessions.call(ctx, 'DELETE', resourceOf(ctx))
    if (!removed.ok) return showUnread(site, ctx, removed.refused)
    goTo(ctx, `${pageOfId(ctx)}?done=removed`)
  })
}
