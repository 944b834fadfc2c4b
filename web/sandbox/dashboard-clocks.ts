import type { Context } from 'koa'
import type { Static } from 'typebox'
import { roles, scopesOf } from '../../domain/access/role.ts'
import type { AdvancedClock, TestClock } from '../../schemas/sandbox/test-clock.ts'
import type { Answer, Refused } from '../api.ts'
import { typedText } from '../form.ts'
import {
  type FieldWords,
  isUnread,
  keyIn,
  newFormKey,
  noticeIn,
  refusedForm,
  reusedWords,
} from '../sight/board-form.ts'
import { factsOf, idIn, type Listed, pagesOf, queryOf, showUnlisted, showUnread } from '../sight/dashboard-lists.ts'
import { type Again, keyAfter } from '../sight/edit-form.ts'
import { goTo, pageOf, type Site, type SiteLink } from '../site.ts'
import { moment, timeOf } from '../words.ts'
import {
  advanceBody,
  attachBody,
  durations,
  type Happening,
  memberNames,
  momentIn,
  shownHappening,
} from './clock-form.ts'
import { isolated } from '../isolated.ts'

type Clock = Static<typeof TestClock>
type Advanced = Static<typeof AdvancedClock>
type Shown = Again & { typed?: object; notice?: string | null; attachKey?: string }

export const clocksLink: SiteLink = {
  path: '/test-clocks',
  words: 'Test clocks',
  roles: roles.filter((role) => scopesOf(role).includes('test_helpers:write')), // there is no scope to read them alone
  isForTests: true,
}

const path = '/v1/test-helpers/clocks'
const common = { isSignedIn: true, at: clocksLink.path }
const noneTyped = { name: '', frozen_time: '', by: 'P1D', to: '', kind: 'checkout_id', ids: '' }
const notices = {
  created: 'The clock stands still. Attach to it what is to go by its time, then advance it.',
  attached: 'Attached. It goes by this clock from now on.',
  deleted: 'The clock is deleted. What was attached goes by the real time again.',
}

/** `/dashboard/test-clocks`: makes test clocks, attaches resources, advances them and shows what has happened. */
export function addClockPages(site: Site): void {
  const { home, sessions, personOf, show } = site
  const folder = home + clocksLink.path
  const pageOfId = (ctx: Context) => `${folder}/${idIn(ctx)}`
  const pathOf = (ctx: Context) => `${path}/${idIn(ctx)}`
  const readClock = (ctx: Context): Promise<Answer<Clock>> => sessions.call(ctx, 'GET', pathOf(ctx))

  const inLive = (ctx: Context): boolean => personOf(ctx)?.environment === 'live'
  const showLive = (ctx: Context) => show(ctx, pageOf('dashboard/clocks-live', 'Test clocks', common))
  const read = (at: string, handle: (ctx: Context) => Promise<void>) =>
    site.read(clocksLink.path + at, async (ctx) => (inLive(ctx) ? showLive(ctx) : handle(ctx)))
  const submit = (at: string, handle: (ctx: Context, form: URLSearchParams) => Promise<void>) =>
    site.submit(clocksLink.path + at, async (ctx, form) => (inLive(ctx) ? showLive(ctx) : handle(ctx, form)))

  async function showList(ctx: Context, shown: Shown = {}): Promise<void> {
    const answer = await sessions.call<Listed<Clock>>(ctx, 'GET', `${path}?${queryOf(ctx, {})}`)
    if (!answer.ok) return showUnlisted(site, ctx, answer.refused, folder)
    const items = answer.body.items.map((clock) => ({ ...shownClock(clock), link: `${folder}/${clock.clock_id}` }))
    const pages = pagesOf(folder, answer.body.pagination, {})
    const data = { ...common, folder, items, pages, formKey: newFormKey(), typed: noneTyped, ...shown }
    show(ctx, pageOf('dashboard/clocks', 'Test clocks', data, shown.status ?? 200))
  }

  async function showOne(ctx: Context, shown: Shown = {}): Promise<void> {
    const answer = await readClock(ctx)
    if (!answer.ok) return showUnread(site, ctx, answer.refused)
    const choices = { durations: Object.entries(durations), kinds: Object.entries(memberNames) }
    const keys = { advanceKey: newFormKey(), attachKey: newFormKey() }
    const data = { ...common, path: pageOfId(ctx), folder, ...shownClock(answer.body), ...choices, ...keys }
    show(ctx, pageOf('dashboard/clock', answer.body.name, { ...data, typed: noneTyped, ...shown }, shown.status ?? 200))
  }

  async function showTried(ctx: Context, refused: Refused, words: FieldWords, shown: Shown = {}): Promise<void> {
    if (isUnread(refused) && refused.code !== 'NOT_FOUND') return showUnread(site, ctx, refused)
    const isReused = refused.errors.some(({ code }) => code === reused)
    const typed = { ...noneTyped, ...shown.typed }
    await showOne(ctx, { ...shown, typed, ...refusedForm(refused, words, isReused ? sentBefore : {}) })
  }

  read('', (ctx) => showList(ctx, { notice: noticeIn(ctx, notices) }))
  read('/:id', (ctx) => showOne(ctx, { notice: noticeIn(ctx, notices) }))

  submit('', async (ctx, form) => {
    const typed = { ...noneTyped, name: typedText(form, 'name'), frozen_time: typedText(form, 'frozen_time') }
    const made = await sessions.call<Clock>(ctx, 'POST', path, createBody(typed), keyIn(form))
    if (made.ok) return goTo(ctx, `${folder}/${made.body.clock_id}?done=created`)
    if (isUnread(made.refused)) return showUnread(site, ctx, made.refused)
    const result = refusedForm(made.refused, createWords, reusedWords(made.refused))
    await showList(ctx, { typed, ...result, formKey: keyAfter(form, result.status) })
  })

  submit('/:id/attach', async (ctx, form) => {
    const typed = { kind: typedText(form, 'kind'), ids: typedText(form, 'ids') }
    const done = await sessions.call(ctx, 'POST', `${pathOf(ctx)}/attach`, attachBody(typed), keyIn(form))
    if (done.ok) return goTo(ctx, `${pageOfId(ctx)}?done=attached`)
    const words = { ...attachWords, [typed.kind]: attachWords['checkout_id'] }
    await showTried(ctx, done.refused, words, { typed, attachKey: keyAfter(form, done.refused.status) })
  })

  // The page with what has happened is the answer to the form. Its key makes a reload show the same again.
  async function advance(ctx: Context, form: URLSearchParams): Promise<void> {
    const typed = { by: typedText(form, 'by'), to: typedText(form, 'to') }
    const done = await sessions.call<Advanced>(ctx, 'POST', `${pathOf(ctx)}/advance`, advanceBody(typed), keyIn(form))
    if (done.ok) return showHappened(ctx, done.body, done.body.happened)
    // The limit says nothing about an earlier press: the form is given back with its key.
    if (done.refused.status === 429) return site.showRefused(ctx, done.refused)
    const clock = done.refused.status >= 500 ? await readClock(ctx) : null
    if (clock?.ok) return showHappened(ctx, clock.body, null, [...form])
    await showTried(ctx, done.refused, advanceWords, { typed })
  }
  submit('/:id/advance', advance)

  /** `happened` is null while that is not known; `again` are the values of the form that asks for it again. */
  function showHappened(
    ctx: Context,
    clock: Clock,
    happened: readonly Happening[] | null,
    again: [string, string][] = [],
  ): void {
    const items = (happened ?? []).slice(0, shownMax).map((each) => shownHappening(each, home))
    const more = Math.max(0, (happened ?? []).length - shownMax)
    const data = {
      ...common,
      path: pageOfId(ctx),
      ...shownClock(clock),
      isKnown: happened !== null,
      items,
      more,
      again,
    }
    show(ctx, pageOf('dashboard/clock-advanced', clock.name, data))
  }

  read('/:id/delete', async (ctx) => {
    const answer = await readClock(ctx)
    if (!answer.ok) return showUnread(site, ctx, answer.refused)
    const heading = `Delete ${isolated(answer.body.name)}?`
    const back = { link: pageOfId(ctx), words: 'Keep this clock' }
    const data = {
      ...common,
      heading,
      lines: deletion,
      action: `${pageOfId(ctx)}/delete`,
      values: [],
      change: null,
      back,
    }
    show(ctx, pageOf('dashboard/sure', heading, { ...data, button: 'Delete the clock' }))
  })

  submit('/:id/delete', async (ctx) => {
    const done = await sessions.call(ctx, 'DELETE', pathOf(ctx))
    if (done.ok) return goTo(ctx, `${folder}?done=deleted`)
    if (isUnread(done.refused)) return showUnread(site, ctx, done.refused)
    await showTried(ctx, done.refused, {})
  })
}

const createBody = ({ name, frozen_time: begins }: { name: string; frozen_time: string }): object => ({
  name,
  ...(begins && { frozen_time: momentIn(begins) }),
})

/** What the API says of a key that was sent before with other values. */
const reused = 'idempotency_key_reused'
const sentBefore = {
  CONFLICT: 'This form was sent before, with other values. See how the clock stands, and send it again.',
}
const shownMax = 500

const deletion = [
  'What is attached goes by the real time again, at once. What has been made on the clock keeps its dates.',
  'This can’t be undone. To have the same again, make a new clock.',
]

const momentWords = 'Enter a day and a time in UTC.'
const createWords: FieldWords = {
  name: 'Give the clock a name of at most 255 characters.',
  frozen_time: momentWords,
}
const advanceWords: FieldWords = { to: momentWords, by: 'Choose one of these.' }
const attachWords: FieldWords = {
  checkout_id: ['ids', 'Enter at least one id, and at most 1,000.'],
}

const shownClock = (clock: Clock) => ({
  title: clock.name,
  id: clock.clock_id,
  time: timeOf(clock.frozen_time),
  isAdvancing: clock.status === 'advancing',
  standing: clock.advances_to ? `Advancing to ${moment(clock.advances_to)}` : 'Stands still',
  created: timeOf(clock.created_at),
  facts: factsOf([
    ['Id', clock.clock_id],
    ['Its time', timeOf(clock.frozen_time)],
    ['Created', timeOf(clock.created_at)],
  ]),
})
