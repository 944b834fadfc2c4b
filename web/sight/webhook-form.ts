import type { Context } from 'koa'
import { accountScopes, endpointsMax } from '../../domain/webhook/endpoint.ts'
import { isOneOf } from '../../domain/narrow.ts'
import type { Refused } from '../api.ts'
import type { FormResult } from '../form-result.ts'
import { typedText } from '../form.ts'
import { goTo, pageOf, type Site } from '../site.ts'
import { type CodeWords, forbidden, isUnread, keyIn, mayDo, newFormKey, refusedForm } from './board-form.ts'
import { showUnread } from './dashboard-lists.ts'
import { type Again, keyAfter } from './edit-form.ts'
import { endpointPath, readToChange } from './webhook-endpoint.ts'
import { accountScopeNames, conflictWords, type ShownEndpoint, titleOf, typeGroups } from './webhook-words.ts'

/** The form as it was typed. `events` are the chosen types, which count only where not all of them are asked for. */
type Typed = { url: string; description: string; account_scope: string; isAll: boolean; events: string[] }

const nothingTyped: Typed = { url: '', description: '', account_scope: 'own', isAll: true, events: [] }

const typedIn = (form: URLSearchParams): Typed => ({
  url: typedText(form, 'url'),
  description: typedText(form, 'description'),
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
      seen: row?.updated_at ?? '',
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
    const wrong = errorsIn(typed)
    if (wrong && mayDo(site, ctx, 'webhooks:write')) return showForm(ctx, null, typed, wrong)
    const body = { ...bodyOf(typed), description: typed.description || null }
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
    const typed = typedIn(form)
    const wrong = errorsIn(typed)
    if (wrong) return showForm(ctx, row, typed, wrong)
    const changes = changesOf(row, typed)
    if (Object.keys(changes).length === 0) return goTo(ctx, `${folder}/${row.endpoint_id}`)
    // What a colleague has saved meanwhile is not undone by a form that shows how it was before.
    if (form.get('seen') !== row.updated_at) return showForm(ctx, row, typed, changedMeanwhile)
    const sent = await sessions.call<ShownEndpoint>(ctx, 'PATCH', endpointPath(ctx), changes, keyIn(form))
    if (sent.ok) return goTo(ctx, `${folder}/${row.endpoint_id}?done=saved`)
    if (isUnread(sent.refused)) return showUnread(site, ctx, sent.refused)
    showForm(ctx, row, typed, refusedEndpoint(sent.refused))
  })
}

const changedMeanwhile: FormResult = {
  status: 409,
  errors: {},
  problem:
    'Somebody has changed this endpoint since you opened the form. Below is what you have typed. ' +
    'Save again to put it in place of theirs.',
}

/** What can be said before the API is asked. */
function errorsIn({ isAll, events, account_scope: scope }: Typed): FormResult | null {
  const errors = {
    ...(!isAll && events.length === 0 && { events: 'Choose at least one event type, or all of them.' }),
    ...(!isOneOf(accountScopes, scope) && { account_scope: 'Choose one of these.' }),
  }
  return Object.keys(errors).length > 0 ? { status: 422, errors, problem: null } : null
}

const bodyOf = ({ url, account_scope, isAll, events }: Typed) => ({
  url,
  account_scope,
  events: isAll ? ['*'] : events,
})

/** The settings that differ from what is stored. Only these are sent. */
function changesOf(row: ShownEndpoint, typed: Typed): Record<string, unknown> {
  const { url, account_scope, events } = bodyOf(typed)
  const isSame = events.length === row.events.length && events.every((type) => row.events.includes(type))
  return {
    ...(url !== (row.url ?? '') && { url }),
    ...(typed.description !== (row.description ?? '') && { description: typed.description || null }),
    ...(account_scope !== row.account_scope && { account_scope }),
    ...(!isSame && { events }),
  }
}

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
