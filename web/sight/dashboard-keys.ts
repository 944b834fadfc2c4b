import type { Context } from 'koa'
import type { Static } from 'typebox'
import { scopes } from '../../domain/access/scope.ts'
import type { CreatedKey, ListedKey } from '../../schemas/access/api-key.ts'
import type { Answer, Refused } from '../api.ts'
import { typedText } from '../form.ts'
import type { Page } from '../render.ts'
import { goTo, pageOf, type Site, type SiteLink } from '../site.ts'
import { noFormResult, type FormResult } from '../form-result.ts'
import { timeOf } from '../words.ts'
import { type FieldWords, isUnread, missing, noticeIn, numberOrText, refusedForm } from './board-form.ts'
import { factsOf, idIn, showUnread } from './dashboard-lists.ts'
import { editsOf, openedWith } from '../opened-form.ts'
import { notSaved } from './edit-form.ts'
import { accessNames, accessOf, accessWords, scopeGroups, scopesIn } from './key-scopes.ts'
import { isolated } from '../isolated.ts'

type Listed = Static<typeof ListedKey>
type Created = Static<typeof CreatedKey>
type Typed = { key_name: string; expires_in_days: string; env: string }

export const keysLink: SiteLink = { path: '/keys', words: 'API keys', roles: ['owner', 'admin'] }

const path = '/api/v1/auth/api-keys'
const folder = '/dashboard/keys'
const common = { isSignedIn: true, at: keysLink.path, groups: scopeGroups, accesses: Object.entries(accessNames) }

/** `/dashboard/keys`: lists, creates and revokes the organization's keys, and changes what they may do. */
export function addKeyPages(site: Site): void {
  const { sessions, read, submit, show } = site
  const list = (ctx: Context): Promise<Answer<{ keys: Listed[] }>> => sessions.call(ctx, 'GET', path)

  read(keysLink.path, async (ctx) => {
    const answer = await list(ctx)
    if (!answer.ok) return showWhyNot(site, ctx, answer.refused)
    const notice = ctx.query['revoked'] === '1' ? 'Key revoked. It no longer works.' : null
    show(ctx, keysPage(answer.body.keys, { notice }))
  })

  // The page with the new key is the answer to the form, and is not stored. There is no idempotency key: with one, a
  // reload would show the key again.
  submit(keysLink.path, async (ctx, form) => {
    const typed = typedIn(form)
    const created = await sessions.call<Created>(ctx, 'POST', path, { ...bodyOf(typed), scopes: scopesIn(form) })
    if (created.ok) return show(ctx, createdPage(created.body))
    if ([401, 403].includes(created.refused.status)) return showWhyNot(site, ctx, created.refused)
    const listed = await list(ctx)
    if (!listed.ok) return showWhyNot(site, ctx, listed.refused)
    const result = refusedForm(created.refused, fieldWords, codeWords)
    show(ctx, keysPage(listed.body.keys, { typed, ...choiceIn(form), ...result }))
  })

  /** The key that the address names; null after an answer that says why it is not shown. */
  async function keyOf(ctx: Context): Promise<Listed | null> {
    const answer = await list(ctx)
    const key = answer.ok ? answer.body.keys.find(({ api_key_id: id }) => id === idIn(ctx)) : undefined
    if (!answer.ok) showWhyNot(site, ctx, answer.refused)
    else if (!key) showUnread(site, ctx, missing)
    return key ?? null
  }

  read('/keys/:id', async (ctx) => {
    const key = await keyOf(ctx)
    if (key) show(ctx, keyPage(key, { notice: noticeIn(ctx, notices) }))
  })

  submit('/keys/:id', async (ctx, form) => {
    const key = await keyOf(ctx)
    if (!key) return
    const choice = choiceIn(form)
    const { changed: edited, errors } = editsOf(form, textsOf(scopesIn(form)), textsOf(key.scopes), namesOf)
    if (key.is_active && errors.access) {
      return show(ctx, keyPage(key, { ...choice, ...notSaved({ status: 409, errors, problem: null }) }))
    }
    if (key.is_active && edited.length === 0) return goTo(ctx, `${folder}/${idIn(ctx)}?done=changed`)
    const changed = await sessions.call<Listed>(ctx, 'PATCH', `${path}/${idIn(ctx)}`, { scopes: scopesIn(form) })
    if (changed.ok) return goTo(ctx, `${folder}/${idIn(ctx)}?done=changed`)
    if (isUnread(changed.refused)) return showWhyNot(site, ctx, changed.refused)
    const isOver = changed.refused.code === 'CONFLICT'
    const result = refusedForm(changed.refused, fieldWords, codeWords)
    show(ctx, keyPage(isOver ? { ...key, is_active: false } : key, { ...choice, ...result }))
  })

  read('/keys/:id/revoke', async (ctx) => {
    const key = await keyOf(ctx)
    if (!key) return
    if (!key.is_active) return goTo(ctx, `${folder}/${key.api_key_id}`)
    show(ctx, pageOf('dashboard/revoke', `Revoke ${isolated(key.key_name)}`, { ...common, key: shownKey(key) }))
  })

  submit('/keys/:id/revoke', async (ctx) => {
    const answer = await sessions.call(ctx, 'POST', `${path}/${idIn(ctx)}/revoke`)
    if (!answer.ok) return showWhyNot(site, ctx, answer.refused)
    goTo(ctx, `${folder}?revoked=1`)
  })
}

const notices = { changed: 'Saved. The key may do this within a second.' }

const notAManager = 'Only owners and admins can manage API keys. Ask one of them.'
const ofAPlatform = 'Your organization is a connected account of a platform, so it has no API keys of its own.'

/** Shows why keys are not shown or changed. An owner is refused too where a platform acts for the organization. */
function showWhyNot(site: Site, ctx: Context, refused: Refused): void {
  if (refused.status !== 403) return showUnread(site, ctx, refused)
  const role = site.personOf(ctx)?.role
  const problem = role === 'owner' || role === 'admin' ? ofAPlatform : notAManager
  site.show(ctx, pageOf('site/refused', 'That did not work', { ...common, problem }, 403))
}

const fieldWords: FieldWords = {
  key_name: 'Give the key a name of at most 255 characters.',
  expires_in_days: 'Enter a whole number of days from 1 to 36500, or leave it empty.',
  env: 'Choose test or live.',
  scopes: ['access', 'Choose at least one scope.'],
}

const codeWords: FieldWords = {
  ACTIVE_KEY_EXISTS: 'You already have an active key of this kind. Revoke it first, then create a new one.',
  CONFLICT: 'This key has been revoked or has expired, so nothing was changed.',
}

/**
 * The scopes of a key as one text of its form, so that whoever has chosen “Read only” gets no scope that somebody else
 * has added meanwhile (decision 0059).
 */
const textsOf = (given: readonly string[]) => ({ access: given.toSorted().join(' ') })

const namesOf = {
  access: (text: string): string => {
    const given = text.split(' ')
    return accessOf(given) === 'chosen' ? given.join(', ') : accessWords(given)
  },
}

const typedIn = (form: URLSearchParams): Typed => ({
  key_name: typedText(form, 'key_name'),
  expires_in_days: typedText(form, 'expires_in_days'),
  env: form.get('env') ?? '',
})

type Choice = { access: string; chosen: readonly string[] }

const choiceIn = (form: URLSearchParams): Choice => ({
  access: form.get('access') ?? '',
  chosen: form.getAll('scope'),
})

/** The body of a creation. A value that is no number is sent unchanged, and the API refuses it. */
function bodyOf({ key_name, expires_in_days: days, env }: Typed): object {
  return { key_name, env, ...(days !== '' && { expires_in_days: numberOrText(days) }) }
}

type Shown = Partial<FormResult & Choice> & { typed?: Typed; notice?: string | null }

const nothingTyped = { typed: { key_name: '', expires_in_days: '', env: 'test' }, access: 'all', chosen: [] }

function keysPage(keys: Listed[], shown: Shown): Page {
  const sorted = keys.map(shownKey).toSorted((left, right) => Number(right.isActive) - Number(left.isActive))
  const data = { ...common, keys: sorted, ...nothingTyped, ...shown }
  return pageOf('dashboard/keys', 'API keys', data, shown.status ?? noFormResult.status)
}

function keyPage(key: Listed, shown: Shown): Page {
  const { last_four: end, scopes: given, is_active: isActive } = key
  const facts = factsOf([
    ['Ends in', end],
    ['Created', timeOf(key.created_at)],
    ['Last used', timeOf(key.last_used_at) ?? 'Never'],
    ['Expires', timeOf(key.expires_at) ?? 'Never'],
    ['May do', accessWords(given)],
    ['Scopes', isActive ? null : given.join(', ')],
  ])
  const now = { access: accessOf(given), chosen: given, opened: openedWith(textsOf(given)) }
  const data = { ...common, key: shownKey(key), facts, ...now, ...shown }
  return pageOf('dashboard/key', key.key_name, data, shown.status ?? noFormResult.status)
}

const createdPage = (key: Created): Page => {
  const kind = key.key.startsWith('sk_live_') ? 'live' : 'test'
  const mayAll = key.scopes.length === scopes.length
  const may = mayAll ? 'This key has full access.' : `This key may do: ${accessWords(key.scopes).toLowerCase()}.`
  return pageOf('dashboard/created', 'Your new key', { ...common, key, kind, may }, 201)
}

const shownKey = (key: Listed) => ({
  id: key.api_key_id,
  link: `${folder}/${key.api_key_id}`,
  name: key.key_name,
  end: `…${key.last_four}`,
  may: accessWords(key.scopes),
  isActive: key.is_active,
  created: timeOf(key.created_at),
  lastUsed: timeOf(key.last_used_at),
  expires: timeOf(key.expires_at),
})
