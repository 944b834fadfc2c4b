import type { Context } from 'koa'
import type { Static } from 'typebox'
import { uploadBytesMax } from '../../domain/catalogue/upload.ts'
import type { OwnAccount } from '../../schemas/platform/own-account.ts'
import type { Answer, Refused, SentFile } from '../api.ts'
import type { FormResult } from '../form-result.ts'
import { goTo, pageOf, type Site } from '../site.ts'
import { changesIn, editsIn, factsAbout, fieldWordsOf, settingsChoices, typedOf } from './account-form.ts'
import { forbidden, isUnread, mayDo, noticeIn, refusedForm } from './board-form.ts'
import { factsOf, showUnread } from './dashboard-lists.ts'
import { openedWith } from '../opened-form.ts'
import { notSaved } from './edit-form.ts'

type Settings = Static<typeof OwnAccount>
type Shown = Partial<FormResult> & { typed?: object; notice?: string | null }

export const settingsLink = { path: '/settings', words: 'Account' }

const path = '/v1/account'
const notices = {
  saved: 'Saved. New pages and mails have it from now on.',
  logo: 'The logo is saved.',
  removed: 'The logo is removed.',
}

/** `/dashboard/settings`: what buyers see of the organization, and what holds where a call says nothing else. */
export function addSettingsPages(site: Site): void {
  const { home, sessions, read, submit, submitFile, show } = site
  const folder = home + settingsLink.path

  const readSettings = (ctx: Context): Promise<Answer<Settings>> => sessions.call(ctx, 'GET', path)
  const change = (ctx: Context, body: object) => sessions.call<Settings>(ctx, 'PATCH', path, body)

  async function showSettings(ctx: Context, shown: Shown = {}): Promise<void> {
    const answer = await readSettings(ctx)
    if (!answer.ok) return showUnread(site, ctx, answer.refused)
    show(ctx, settingsPage(answer.body, mayDo(site, ctx, 'accounts:write'), shown))
  }

  /** Shows the page again, with what was typed, and says what is wrong with it. */
  async function showTried(ctx: Context, refused: Refused, shown: Shown, words = {}): Promise<void> {
    if (isUnread(refused)) return showUnread(site, ctx, refused)
    await showSettings(ctx, { ...shown, ...refusedForm(refused, words) })
  }

  read(settingsLink.path, (ctx) => showSettings(ctx, { notice: noticeIn(ctx, notices) }))

  // Only what was changed on this form is sent, so that two people who change different things keep both changes. Of
  // the same thing, changed by both, the later one is told (decision 0057).
  submit(settingsLink.path, async (ctx, form) => {
    if (!mayDo(site, ctx, 'accounts:write')) return showUnread(site, ctx, forbidden)
    const answer = await readSettings(ctx)
    if (!answer.ok) return showUnread(site, ctx, answer.refused)
    const edits = editsIn(form, answer.body)
    const { typed, changed, errors } = edits
    if (Object.keys(errors).length > 0) {
      const result = notSaved({ errors, problem: null, status: 409 })
      return show(ctx, settingsPage(answer.body, true, { typed, ...result }))
    }
    if (changed.length === 0) return goTo(ctx, `${folder}?done=saved`)
    const saved = await change(ctx, changesIn(edits))
    if (saved.ok) return goTo(ctx, `${folder}?done=saved`)
    await showTried(ctx, saved.refused, { typed }, fieldWordsOf(typed))
  })

  submitFile(`${settingsLink.path}/logo`, uploadBytesMax, async (ctx, { file }) => {
    if (!mayDo(site, ctx, 'accounts:write')) return showUnread(site, ctx, forbidden)
    if (file === null) return showSettings(ctx, { status: 422, errors: { file: 'Choose an image first.' } })
    if (file === 'too_large') return showSettings(ctx, { status: 422, errors: { file: wrongImage } })
    const uploaded = await upload(ctx, file)
    if (!uploaded.ok) return showTried(ctx, uploaded.refused, {}, { file: wrongImage })
    const saved = await change(ctx, { logo: uploaded.body.upload_id })
    if (saved.ok) return goTo(ctx, `${folder}?done=logo`)
    await showTried(ctx, saved.refused, {}, { logo: ['file', wrongImage] })
  })

  const upload = (ctx: Context, file: SentFile): Promise<Answer<{ upload_id: string }>> =>
    sessions.call(ctx, 'POST', '/v1/utilities/uploads', undefined, { file })

  submit(`${settingsLink.path}/logo/remove`, async (ctx) => {
    if (!mayDo(site, ctx, 'accounts:write')) return showUnread(site, ctx, forbidden)
    const saved = await change(ctx, { logo: null })
    if (saved.ok) return goTo(ctx, `${folder}?done=removed`)
    await showTried(ctx, saved.refused, {})
  })
}

const wrongImage = 'Choose a PNG, JPEG or WebP image of at most 10 MB that is not empty.'

function settingsPage(settings: Settings, mayChange: boolean, shown: Shown) {
  const now = typedOf(settings)
  const data = {
    isSignedIn: true,
    at: settingsLink.path,
    mayChange,
    name: settings.name,
    id: settings.account_id,
    logo: settings.logo,
    facts: factsOf(factsAbout(settings)),
    choices: settingsChoices(now.timezone),
    typed: now,
    opened: openedWith(now),
    ...shown,
  }
  return pageOf('dashboard/settings', 'Account', data, shown.status ?? 200)
}
