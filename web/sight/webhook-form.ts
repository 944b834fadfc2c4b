import type { Context } from 'koa'
import { accountScopes, endpointsMax } from '../../domain/webhook/endpoint.ts'
import { isOneOf } from '../../domain/narrow.ts'
import type { Refused } from '../api.ts'
import type { FormResult, InputErrors } from '../form-result.ts'
import { typedText } from '../form.ts'
import { editsOf, openedWith, withPlainBreaks } from '../opened-form.ts'
import { goTo, pageOf, type Site } from '../site.ts'
import { type CodeWords, forbidden, isUnread, keyIn, mayDo, newFormKey, refusedForm } from './board-form.ts'
import { showUnread } from './dashboard-lists.ts'
import { type Again, keyAfter, notSaved, sameKey } from './edit-form.ts'
import { endpointPath, readToChange } from './webhook-endpoint.ts'
import {
  accountScopeNames,
  conflictWords,
  filterWords,
  type ShownEndpoint,
  titleOf,
  typeGroups,
} from './webhook-words.ts'

/** The form as it was typed. `events` are the chosen types, which count only where not all of them are asked for. */
type Typed = { url: string; description: string; account_scope: string; isAll: boolean; events: string[] }

const nothingTyped: Typed = { url: '', description: '', account_scope: 'own', isAll: true, events: [] }

const typedIn = (form: URLSearchParams): Typed => ({
  url: typedText(form, 'url'),
  description: withPlainBreaks(typedText(form, 'description')),
  account_scope: typedText(form, 'account_scope'),
  isAll: form.get('which') === 'all',
  events: form.getAll('events'),
})

const typedOf = (row: ShownEndpoint): Typed => ({
  url: row.url ?? '',
  description: row.description ?? '',
  account_scope: row.account_scope,
  isAll: row.events.includes('*'),
  events: row.events.filter((type) => type !== '*'),
})

/** The form as texts, to see what somebody has changed. The event types are one value. */
type Texts = Record<'url' | 'description' | 'account_scope' | 'events', string>

const textsOf = ({ url, description, account_scope, isAll, events }: Typed): Texts => ({
  url,
  description,
  account_scope,
  events: isAll ? '*' : events.toSorted().join(' '),
})

/** The form with these texts. Unless they have other event types, those that are ticked stay so while all count. */
function withTexts(typed: Typed, { events, ...texts }: Texts): Typed {
  if (events === textsOf(typed).events) return { ...typed, ...texts }
  const isAll = events === '*'
  return { ...texts, isAll, events: isAll || events === '' ? [] : events.split(' ') }
}

const namesOf = {
  account_scope: (text: string): string => (isOneOf(accountScopes, text) ? accountScopeNames[text] : text),
  events: (text: string): string => filterWords(text.split(' ')),
}

/** `/dashboard/webhooks/new` and `/{id}/edit`: one form for a new endpoint and for its changes. */
export function addEndpointForm(site: Site, folder: string): void {
  const { home, sessions, read, submit, show, goToLogin } = site
  const path = folder.slice(home.length)

  /** Shows the form. `row` is the endpoint that is changed; null for a new one. */
  function showForm(ctx: Context, row: ShownEndpoint | null, typed: Typed, result: Again = {}): void {
    const title = row ? 'Edit endpoint' : 'Add endpoint'
    const data = {
      isSignedIn: true,
      at: path,
      heading: row && titleOf(row),
      action: row ? `${folder}/${row.endpoint_id}/edit` : `${folder}/new`,
      back: row ? `${folder}/${row.endpoint_id}` : folder,
      opened: openedWith(textsOf(row ? typedOf(row) : nothingTyped)),
      formKey: newFormKey(),
      groups: typeGroups,
      scopes: Object.entries(accountScopeNames),
      typed,
    }
    show(ctx, pageOf('dashboard/webhook-form', title, { ...data, ...result }, result.status ?? 200))
  }

  read(`${path}/new`, (ctx) => {
    if (!sessions.isKept(ctx)) return goToLogin(ctx)
    if (!mayDo(site, ctx, 'webhooks:write')) return showUnread(site, ctx, forbidden)
    showForm(ctx, null, nothingTyped)
  })

  submit(`${path}/new`, async (ctx, form) => {
    const typed = typedIn(form)
    const errors = errorsIn(typed)
    if (hasSome(errors) && mayDo(site, ctx, 'webhooks:write'))
      return showForm(ctx, null, typed, { status: 422, errors, problem: null, formKey: sameKey(form) })
    const body = bodyOf(typed)
    const sent = await sessions.call<ShownEndpoint>(ctx, 'POST', '/v1/webhooks/endpoints', body, keyIn(form))
    if (sent.ok) return goTo(ctx, `${folder}/${sent.body.endpoint_id}?done=added`)
    if (isUnread(sent.refused)) return showUnread(site, ctx, sent.refused)
    const result = refusedEndpoint(sent.refused, conflictWords(sent.refused, tooMany))
    showForm(ctx, null, typed, { ...result, formKey: keyAfter(form, result.status) })
  })

  read(`${path}/:id/edit`, async (ctx) => {
    const answer = await readToChange(site, ctx)
    if (!answer.ok) return showUnread(site, ctx, answer.refused)
    showForm(ctx, answer.body, typedOf(answer.body))
  })

  submit(`${path}/:id/edit`, async (ctx, form) => {
    const answer = await readToChange(site, ctx)
    if (!answer.ok) return showUnread(site, ctx, answer.refused)
    const row = answer.body
    const edits = editsOf(form, textsOf(typedIn(form)), textsOf(typedOf(row)), namesOf)
    const typed = withTexts(typedIn(form), edits.typed)
    const errors = { ...errorsIn(typed), ...edits.errors }
    const status = hasSome(edits.errors) ? 409 : 422
    if (hasSome(errors)) return showForm(ctx, row, typed, notSaved({ status, errors, problem: null }))
    if (edits.changed.length === 0) return goTo(ctx, `${folder}/${row.endpoint_id}`)
    const body = bodyOf(typed)
    const changes = Object.fromEntries(edits.changed.map((name) => [name, body[name]]))
    const sent = await sessions.call<ShownEndpoint>(ctx, 'PATCH', endpointPath(ctx), changes, keyIn(form))
    if (sent.ok) return goTo(ctx, `${folder}/${row.endpoint_id}?done=saved`)
    if (isUnread(sent.refused)) return showUnread(site, ctx, sent.refused)
    showForm(ctx, row, typed, refusedEndpoint(sent.refused))
  })
}

/** What can be said before the API is asked. */
const errorsIn = ({ isAll, events, account_scope: scope }: Typed): InputErrors => ({
  ...(!isAll && events.length === 0 && { events: 'Choose at least one event type, or all of them.' }),
  ...(!isOneOf(accountScopes, scope) && { account_scope: 'Choose one of these.' }),
})

const hasSome = (errors: InputErrors): boolean => Object.keys(errors).length > 0

const bodyOf = ({ url, description, account_scope, isAll, events }: Typed) => ({
  url,
  description: description || null,
  account_scope,
  events: isAll ? ['*'] : events,
})

const addressWords = 'Enter a public HTTPS address, such as https://example.com/webhooks.'
const tooMany = `There are ${endpointsMax} endpoints already. Delete one that you do not need, or change it.`

function refusedEndpoint(refused: Refused, codes: CodeWords = {}): FormResult {
  const fields = Object.fromEntries(refused.errors.flatMap(({ field }) => wordsOf(field)))
  return refusedForm(refused, fields, codes)
}

/** The input and the message of a field; the types of a list are each a field of their own. */
function wordsOf(field: string): [string, string | [string, string]][] {
  if (field === 'url') return [[field, addressWords]]
  if (field === 'description') return [[field, 'Enter a description of at most 500 characters.']]
  return field.startsWith('events') ? [[field, ['events', 'Choose event types of this list.']]] : []
}
