import type { Context } from 'koa'
import type { Static } from 'typebox'
import type { WebhookSecret } from '../../schemas/webhook/endpoint.ts'
import type { FormResult } from '../form-result.ts'
import { typedText } from '../form.ts'
import { goTo, pageOf, type Site } from '../site.ts'
import { timeOf } from '../words.ts'
import { isUnread, keyIn, newFormKey, refusedForm } from './board-form.ts'
import { idIn, showUnread } from './dashboard-lists.ts'
import { type Again, keyAfter, sameKey } from './edit-form.ts'
import { endpointPath, readToChange } from './webhook-endpoint.ts'
import { conflictWords, type ShownEndpoint, titleOf } from './webhook-words.ts'
import { hourMs } from '../../domain/duration.ts'

type Secrets = Static<typeof WebhookSecret>

/** For how many hours the old secret may sign too, and how that is said. */
const graces: [hours: string, words: string][] = [
  ['0', 'Not at all: somebody else may know it'],
  ['1', 'For an hour'],
  ['24', 'For 24 hours'],
  ['72', 'For 3 days'],
  ['168', 'For 7 days'],
]
const usualGrace = '24'

/**
 * The signing secret of an endpoint, for people who may change webhooks: `/{id}/secret` answers a form with it, so that
 * no link and no history opens it; `/{id}/rotate` says until when the old one signs too, and makes a new one.
 */
export function addSecretPages(site: Site, folder: string): void {
  const { home, sessions, now, read, submit, show } = site
  const path = folder.slice(home.length)
  const pageOfId = (ctx: Context) => `${folder}/${idIn(ctx)}`

  function showSecrets(ctx: Context, row: ShownEndpoint, secrets: Secrets, isNew: boolean): void {
    const data = {
      isSignedIn: true,
      at: path,
      heading: titleOf(row),
      secret: secrets.secret,
      previous: secrets.previous_secret,
      previousEnd: timeOf(secrets.previous_secret_expires_at),
      isNew,
      back: pageOfId(ctx),
    }
    show(ctx, pageOf('dashboard/webhook-secret', isNew ? 'Secret rotated' : 'Signing secret', data))
  }

  // The page is the answer to a form, and is not stored. Its own address leads back.
  read(`${path}/:id/secret`, (ctx) => goTo(ctx, pageOfId(ctx)))
  submit(`${path}/:id/secret`, async (ctx) => {
    const answer = await readToChange(site, ctx)
    if (!answer.ok) return showUnread(site, ctx, answer.refused)
    const secrets = await sessions.call<Secrets>(ctx, 'GET', `${endpointPath(ctx)}/secret`)
    if (!secrets.ok) return showUnread(site, ctx, secrets.refused)
    showSecrets(ctx, answer.body, secrets.body, false)
  })

  async function askToRotate(ctx: Context, row: ShownEndpoint, chosen: string, result: Again = {}): Promise<void> {
    const at = await now()
    const data = {
      isSignedIn: true,
      at: path,
      heading: titleOf(row),
      hasSecret: row.has_secret,
      graces: graces.map(([hours, words]) => ({ hours, words, until: untilOf(at, hours) })),
      chosen,
      formKey: newFormKey(),
      path: pageOfId(ctx),
    }
    show(ctx, pageOf('dashboard/webhook-rotate', 'Rotate the secret?', { ...data, ...result }, result.status ?? 200))
  }

  read(`${path}/:id/rotate`, async (ctx) => {
    const answer = await readToChange(site, ctx)
    if (!answer.ok) return showUnread(site, ctx, answer.refused)
    await askToRotate(ctx, answer.body, usualGrace)
  })

  // With the key of its form a second press makes no further secret, and shows the same one.
  submit(`${path}/:id/rotate`, async (ctx, form) => {
    const answer = await readToChange(site, ctx)
    if (!answer.ok) return showUnread(site, ctx, answer.refused)
    const chosen = typedText(form, 'grace_hours') || usualGrace
    const known = graces.some(([hours]) => hours === chosen)
    if (!known) return askToRotate(ctx, answer.body, usualGrace, { ...wrongGrace, formKey: sameKey(form) })
    const body = { grace_hours: Number(chosen) }
    const sent = await sessions.call<Secrets>(ctx, 'POST', `${endpointPath(ctx)}/secret/rotate`, body, keyIn(form))
    if (sent.ok) return showSecrets(ctx, answer.body, sent.body, true)
    if (isUnread(sent.refused)) return showUnread(site, ctx, sent.refused)
    const result = refusedForm(sent.refused, {}, conflictWords(sent.refused, 'Not rotated. Try again.'))
    await askToRotate(ctx, answer.body, chosen, { ...result, formKey: keyAfter(form, result.status) })
  })
}

const wrongGrace: FormResult = { status: 422, errors: { grace_hours: 'Choose one of these.' }, problem: null }

const untilOf = (at: number, hours: string) =>
  hours === '0' ? null : timeOf(new Date(at + Number(hours) * hourMs).toISOString())
