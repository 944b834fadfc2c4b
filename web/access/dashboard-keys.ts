import type { Context } from 'koa'
import type { Static } from 'typebox'
import type { CreatedKey, ListedKey } from '../../schemas/access/api-key.ts'
import type { Answer } from '../api.ts'
import type { Page } from '../render.ts'
import { goTo, pageOf, type Site, type SiteLink } from '../site.ts'
import { noFormResult, formResultOf, type FormResult } from '../form-result.ts'
import { moment } from '../words.ts'

type Listed = Static<typeof ListedKey>
type Created = Static<typeof CreatedKey>
type Typed = { key_name: string; expires_in_days: string; env: string }

export const keysLink: SiteLink = { path: '/keys', words: 'API keys', roles: ['owner', 'admin'] }

const path = '/api/v1/auth/api-keys'
const nothingTyped: Typed = { key_name: '', expires_in_days: '', env: 'test' }

/** `/dashboard/keys`: lists, creates and revokes the organization's keys. */
export function addKeyPages({ sessions, read, submit, show, showRefused, problems }: Site): void {
  const list = (ctx: Context): Promise<Answer<{ keys: Listed[] }>> => sessions.call(ctx, 'GET', path)

  read('/keys', async (ctx) => {
    const answer = await list(ctx)
    if (!answer.ok) return showRefused(ctx, answer.refused)
    const notice = ctx.query['revoked'] === '1' ? 'Key revoked. It stops working within a second.' : null
    show(ctx, keysPage(answer.body.keys, { notice }))
  })

  // The page with the new key is the answer to the form, and is not stored. There is no idempotency key: with one, a
  // reload would show the key again.
  submit('/keys', async (ctx, form) => {
    const typed = typedIn(form)
    const created = await sessions.call<Created>(ctx, 'POST', path, bodyOf(typed))
    if (created.ok) return show(ctx, createdPage(created.body))
    if (created.refused.status === 401) return showRefused(ctx, created.refused)
    const listed = await list(ctx)
    if (!listed.ok) return showRefused(ctx, listed.refused)
    show(ctx, keysPage(listed.body.keys, { typed, ...formResultOf(created.refused, problems) }))
  })

  read('/keys/:id/revoke', async (ctx) => {
    const answer = await list(ctx)
    if (!answer.ok) return showRefused(ctx, answer.refused)
    const key = answer.body.keys.find(({ api_key_id: id, is_active }) => id === idIn(ctx) && is_active)
    if (!key) return goTo(ctx, '/dashboard/keys')
    show(ctx, pageOf('dashboard/revoke', `Revoke ${key.key_name}`, { isSignedIn: true, key: shownKey(key) }))
  })

  submit('/keys/:id/revoke', async (ctx) => {
    const answer = await sessions.call(ctx, 'POST', `${path}/${encodeURIComponent(idIn(ctx))}/revoke`)
    if (!answer.ok) return showRefused(ctx, answer.refused)
    goTo(ctx, '/dashboard/keys?revoked=1')
  })
}

const idIn = (ctx: Context): string => (ctx['params'] as { id: string }).id

const typedIn = (form: URLSearchParams): Typed => ({
  key_name: form.get('key_name')?.trim() ?? '',
  expires_in_days: form.get('expires_in_days')?.trim() ?? '',
  env: form.get('env') ?? '',
})

/** The body of a creation. A value that is no number is sent unchanged, and the API refuses it. */
function bodyOf({ key_name, expires_in_days: days, env }: Typed): object {
  return { key_name, env, ...(days !== '' && { expires_in_days: /^\d{1,9}$/.test(days) ? Number(days) : days }) }
}

type Shown = Partial<FormResult> & { typed?: Typed; notice?: string | null }

function keysPage(keys: Listed[], shown: Shown): Page {
  const sorted = keys.map(shownKey).toSorted((left, right) => Number(right.isActive) - Number(left.isActive))
  const data = { isSignedIn: true, at: '/keys', keys: sorted, typed: nothingTyped, ...shown }
  return pageOf('dashboard/keys', 'API keys', data, shown.status ?? noFormResult.status)
}

const createdPage = (key: Created): Page => {
  const kind = key.key.startsWith('sk_live_') ? 'live' : 'test'
  return pageOf('dashboard/created', 'Your new key', { isSignedIn: true, key, kind }, 201)
}

/** A time, with its text for browsers without scripts, which cannot show local time. */
const timeOf = (at: string | null) => at && { at, words: moment(at) }

const shownKey = (key: Listed) => ({
  id: key.api_key_id,
  name: key.key_name,
  isActive: key.is_active,
  created: timeOf(key.created_at),
  lastUsed: timeOf(key.last_used_at),
  expires: timeOf(key.expires_at),
})
