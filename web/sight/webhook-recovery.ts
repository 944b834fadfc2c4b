import type { Context } from 'koa'
import type { Static } from 'typebox'
import type { WebhookRecovery } from '../../schemas/webhook/recovery.ts'
import { typedText } from '../form.ts'
import { goTo, pageOf, type Site } from '../site.ts'
import { timeOf } from '../words.ts'
import { isUnread, keyIn, newFormKey, refusedForm } from './board-form.ts'
import { type Fact, factsOf, idIn, showUnread } from './dashboard-lists.ts'
import { type Again, keyAfter, sameKey } from './edit-form.ts'
import { endpointPath, readToChange } from './webhook-endpoint.ts'
import { conflictWords, notSentAgain, type ShownEndpoint, titleOf } from './webhook-words.ts'
import { dayMs, isDay } from '../../domain/duration.ts'

type Recovery = Static<typeof WebhookRecovery>
type Typed = { since: string; until: string }

/** `/{id}/recover`: since when to send again what an endpoint has missed. `/recoveries/{id}`: how far that has come. */
export function addRecoveryPages(site: Site, folder: string): void {
  const { home, sessions, now, read, submit, show } = site
  const path = folder.slice(home.length)

  function showForm(ctx: Context, row: ShownEndpoint, typed: Typed, result: Again = {}): void {
    const data = {
      isSignedIn: true,
      at: path,
      heading: titleOf(row),
      path: `${folder}/${row.endpoint_id}`,
      formKey: newFormKey(),
      typed,
    }
    show(
      ctx,
      pageOf('dashboard/webhook-recover', 'Recover missed events', { ...data, ...result }, result.status ?? 200),
    )
  }

  read(`${path}/:id/recover`, async (ctx) => {
    const answer = await readToChange(site, ctx)
    if (!answer.ok) return showUnread(site, ctx, answer.refused)
    const row = answer.body
    if (!row.enabled) return goTo(ctx, `${folder}/${row.endpoint_id}`)
    showForm(ctx, row, { since: proposedSince(row, await now()), until: '' })
  })

  submit(`${path}/:id/recover`, async (ctx, form) => {
    const answer = await readToChange(site, ctx)
    if (!answer.ok) return showUnread(site, ctx, answer.refused)
    const row = answer.body
    const typed = { since: typedText(form, 'since'), until: typedText(form, 'until') }
    const [since, until] = [momentOf(typed.since), typed.until === '' ? null : momentOf(typed.until)]
    const errors = {
      ...(since === undefined && { since: timeWords }),
      ...(until === undefined && { until: timeWords }),
    }
    const unfit = { status: 422, errors, problem: null, formKey: sameKey(form) }
    if (Object.keys(errors).length > 0) return showForm(ctx, row, typed, unfit)
    const body = { since, ...(until && { until }) }
    const sent = await sessions.call<Recovery>(ctx, 'POST', `${endpointPath(ctx)}/recover`, body, keyIn(form))
    if (sent.ok) return goTo(ctx, `${folder}/recoveries/${sent.body.recovery_id}`)
    if (isUnread(sent.refused)) return showUnread(site, ctx, sent.refused)
    const fields = { since: spanWords, until: timeWords }
    const result = refusedForm(sent.refused, fields, conflictWords(sent.refused, notSentAgain(sent.refused)))
    showForm(ctx, row, typed, { ...result, formKey: keyAfter(form, result.status) })
  })

  read(`${path}/recoveries/:id`, async (ctx) => {
    const answer = await sessions.call<Recovery>(ctx, 'GET', `/v1/webhooks/recoveries/${idIn(ctx)}`)
    if (!answer.ok) return showUnread(site, ctx, answer.refused)
    const row = answer.body
    const data = {
      isSignedIn: true,
      at: path,
      isRunning: row.status === 'running',
      here: `${folder}/recoveries/${row.recovery_id}`,
      facts: factsOf(recoveryFacts(row, folder)),
      endpoint: `${folder}/${row.endpoint_id}`,
    }
    show(ctx, pageOf('dashboard/webhook-recovery', 'Recovery', data))
  })
}

const timeWords = 'Enter a day and a time in UTC, such as 2026-11-25 09:00.'
const spanWords = 'Enter a time of the last 90 days, before the end.'

/** From when the form proposes to recover: a day ago, or from the first event that the endpoint has missed. */
function proposedSince({ missed_since: missedSince }: ShownEndpoint, now: number): string {
  const since = missedSince ? Date.parse(missedSince) : now
  return new Date(Math.min(since, now - dayMs)).toISOString().slice(0, 'YYYY-MM-DDTHH:MM'.length)
}

/** The moment that an input for a time in UTC names; undefined where it names none. */
export function momentOf(typed: string): string | undefined {
  if (!/^[12]\d{3}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d{1,3})?)?$/.test(typed)) return undefined
  if (!isDay(typed.slice(0, 'YYYY-MM-DD'.length))) return undefined
  const at = Date.parse(`${typed.replace(' ', 'T')}Z`)
  return Number.isNaN(at) ? undefined : new Date(at).toISOString()
}

const recoveryFacts = (row: Recovery, folder: string): Fact[] => [
  ['Id', row.recovery_id],
  ['Endpoint', row.endpoint_id, `${folder}/${row.endpoint_id}`],
  ['Events from', timeOf(row.since)],
  ['Events up to', timeOf(row.until)],
  ['Deliveries begun', String(row.sent_count)],
  ['Ordered', timeOf(row.created_at)],
  ['Completed', timeOf(row.completed_at)],
]
