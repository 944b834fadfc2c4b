import type { Context } from 'koa'
import type { Static } from 'typebox'
import type { BackupCodes, NewAuthenticator, SecondFactor } from '../../schemas/access/own-login.ts'
import type { Answer, Refused } from '../api.ts'
import type { FormResult, InputErrors } from '../form-result.ts'
import { typedText } from '../form.ts'
import { newAppOf } from './new-app.ts'
import { type CodeWords, type FieldWords, isUnread, noticeIn, refusedForm } from './board-form.ts'
import { showUnread } from './dashboard-lists.ts'
import { goTo, pageOf, type Site } from '../site.ts'

type Factor = Static<typeof SecondFactor>

export const signInLink = { path: '/settings/sign-in', words: 'Your sign-in' }

const auth = '/api/v1/auth'
const notices = {
  password: 'Your password is changed. You are signed out everywhere else.',
  authenticator: 'Your new authenticator app is in use. The earlier one no longer works.',
}
const formNotices = {
  sent: 'We’ve sent you a code. The email says when it expires.',
  gone: 'No new app is waiting for a code: the time is over, or the app is in use already.',
}

/** The forms that need both factors. */
const forms = {
  password: { template: 'site/own-password', title: 'Change your password' },
  'backup-codes': { template: 'site/own-backup-codes', title: 'Make new backup codes' },
  authenticator: { template: 'site/own-authenticator', title: 'Set up an authenticator app' },
}
type FormName = keyof typeof forms

const fieldWords: FieldWords = {
  password: ['password', 'Enter your password. It has at least 8 characters.'],
  current_password: ['password', 'Enter your password. It has at least 8 characters.'],
  new_password: 'Choose another password, of 8 to 1024 characters.',
  code: 'Enter the code. It has 4 to 32 characters.',
}
const codeWords: CodeWords = {
  INVALID_CREDENTIALS: ['password', 'This password is incorrect. If you have just changed it, enter the new one.'],
  INVALID_CODE: ['code', 'This code is incorrect, already used or expired. Enter the latest code.'],
  ACCOUNT_LOCKED: 'Too many failed attempts, so your sign-in is locked. Try again in a few hours.',
}

/**
 * `/settings/sign-in` of a site: a person changes their own password, makes new backup codes, and moves to another
 * authenticator app. What is shown once is in the answer to a form, so no address and no cache has it.
 */
export function addSignInPages(site: Site): void {
  const { home, sessions, read, submit, show } = site
  const folder = home + signInLink.path
  const common = { isSignedIn: true, at: signInLink.path, folder }
  const factorOf = (ctx: Context): Promise<Answer<Factor>> => sessions.call(ctx, 'GET', `${auth}/second-factor`)

  read(signInLink.path, async (ctx) => {
    const factor = await factorOf(ctx)
    if (!factor.ok) return showUnread(site, ctx, factor.refused)
    const data = { ...common, factor: factor.body, notice: noticeIn(ctx, notices) }
    show(ctx, pageOf('site/sign-in', 'Your sign-in', data))
  })

  async function showForm(ctx: Context, name: FormName, shown: Shown): Promise<void> {
    const factor = await factorOf(ctx)
    if (!factor.ok) return showUnread(site, ctx, factor.refused)
    const { template, title } = forms[name]
    const data = { ...common, name, heading: title, factor: factor.body, action: `${folder}/${name}`, ...shown }
    show(ctx, pageOf(template, title, data, shown.status ?? 200))
  }

  async function showRefusal(ctx: Context, name: FormName, form: URLSearchParams, refused: Refused): Promise<void> {
    if (isUnread(refused) && !codeWords[refused.code]) return showUnread(site, ctx, refused)
    await showForm(ctx, name, { isBackup: isBackup(form), ...refusedForm(refused, fieldWords, codeWords) })
  }

  for (const name of Object.keys(forms) as FormName[]) {
    read(`${signInLink.path}/${name}`, (ctx) => {
      const notice = noticeIn(ctx, formNotices)
      return showForm(ctx, name, { isBackup: ctx.query['with'] === 'backup', notice })
    })
  }

  submit(`${signInLink.path}/code`, async (ctx, form) => {
    const name = Object.keys(forms).find((each) => each === form.get('for')) ?? 'password'
    const sent = await sessions.call(ctx, 'POST', `${auth}/code`)
    if (sent.ok) return goTo(ctx, `${folder}/${name}?done=sent`)
    await showRefusal(ctx, name as FormName, form, sent.refused)
  })

  submit(`${signInLink.path}/password`, async (ctx, form) => {
    const next = form.get('new_password') ?? ''
    if (next !== form.get('repeated_password'))
      return showForm(ctx, 'password', { isBackup: isBackup(form), ...differs })
    const { password: current_password, ...code } = factorsIn(form)
    const body = { current_password, new_password: next, ...code }
    const changed = await sessions.call(ctx, 'POST', `${auth}/password`, body)
    if (!changed.ok) return showRefusal(ctx, 'password', form, changed.refused)
    goTo(ctx, `${folder}?done=password`)
  })

  submit(`${signInLink.path}/backup-codes`, async (ctx, form) => {
    const { password, code } = factorsIn(form)
    const body = { password, code }
    const made = await sessions.call<Static<typeof BackupCodes>>(ctx, 'POST', `${auth}/backup-codes`, body)
    if (!made.ok) return showRefusal(ctx, 'backup-codes', form, made.refused)
    show(ctx, pageOf('site/backup-codes', 'Your new backup codes', { ...common, codes: made.body.backup_codes }))
  })

  addNewAppForms(site, (ctx, form, refused) => showRefusal(ctx, 'authenticator', form, refused))
}

type ShowRefusal = (ctx: Context, form: URLSearchParams, refused: Refused) => Promise<void>

/** The two forms of a new authenticator app: both factors, then a code of the app. */
function addNewAppForms(site: Site, showRefusal: ShowRefusal): void {
  const { home, sessions, submit, show } = site
  const folder = home + signInLink.path

  submit(`${signInLink.path}/authenticator`, async (ctx, form) => {
    const body = factorsIn(form)
    const begun = await sessions.call<Static<typeof NewAuthenticator>>(ctx, 'POST', `${auth}/authenticator`, body)
    if (!begun.ok) return showRefusal(ctx, form, begun.refused)
    showNewApp(ctx, begun.body.otpauth_uri)
  })

  function showNewApp(ctx: Context, uri: string, shown: Partial<FormResult> = {}): void {
    const app = newAppOf(uri)
    if (app === null) return goTo(ctx, `${folder}/authenticator`)
    const action = `${folder}/authenticator/confirm`
    const data = { isSignedIn: true, at: signInLink.path, folder, app, action, ...shown }
    show(ctx, pageOf('site/new-authenticator', 'Scan this code', data, shown.status ?? 200))
  }

  submit(`${signInLink.path}/authenticator/confirm`, async (ctx, form) => {
    const code = typedText(form, 'code')
    const done = await sessions.call(ctx, 'POST', `${auth}/authenticator/confirm`, { code })
    if (done.ok) return goTo(ctx, `${folder}?done=authenticator`)
    if (done.refused.code === 'NOT_FOUND') return goTo(ctx, `${folder}/authenticator?done=gone`)
    if (isUnread(done.refused) && !codeWords[done.refused.code]) return showUnread(site, ctx, done.refused)
    // The API tells the secret once, so the form has brought it along for whoever has mistyped the code.
    showNewApp(ctx, form.get('otpauth_uri') ?? '', refusedForm(done.refused, fieldWords, codeWords))
  })
}

type Shown = Partial<FormResult> & { isBackup: boolean; notice?: string | null }

const differs = { status: 400, errors: { repeated_password: 'This differs from the new password.' } as InputErrors }

const isBackup = (form: URLSearchParams): boolean => form.get('code_type') === 'backup'

const factorsIn = (form: URLSearchParams) => ({
  password: form.get('password') ?? '',
  code: typedText(form, 'code'),
  code_type: isBackup(form) ? 'backup' : 'primary',
})
