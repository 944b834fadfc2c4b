import type { Context } from 'koa'
import type { Answer } from '../api.ts'
import { typedText } from '../form.ts'
import type { Page } from '../render.ts'
import { goTo, pageOf, type Site } from '../site.ts'
import { askedName, loginAddress } from './asked-page.ts'
import type { Challenge } from './site-session.ts'
import { formResultOf, type FormResult } from '../form-result.ts'

type Opened = { challenge_id: string; method: Challenge['method']; backup_code_allowed: boolean }
type Tokens = { access_token: string; refresh_token: string }

const auth = '/api/v1/auth'

/** `/login` and `/login/code` of a site, the two factors, and `/logout`. */
export function addLoginPages({ home, start, sessions, asked, read, submit, show, showRefused }: Site): void {
  const loginPath = `${home}/login`
  const codePath = `${home}/login/code`

  const loginPage = ({ next, ...shown }: Shown & { email?: string }): Page =>
    pageOf('site/login', 'Sign in', { ...askedOf(home, next), email: '', ...shown }, shown.status)

  const codePage = (challenge: Challenge, { next, ...shown }: Shown & { isBackup: boolean }): Page =>
    pageOf('site/code', 'Enter your code', { ...askedOf(home, next), challenge, ...shown }, shown.status)

  async function sendFirst(ctx: Context, form: URLSearchParams): Promise<void> {
    const next = asked.askedIn(ctx, form)
    const email = typedText(form, 'email')
    const opened = await sendPassword(ctx, email, form.get('password') ?? '')
    if (!opened.ok) return show(ctx, loginPage({ next, email, ...formResultOf(opened.refused) }))
    const { challenge_id: id, method, backup_code_allowed: takesBackup } = opened.body
    sessions.keepChallenge(ctx, { id, method, takesBackup })
    goTo(ctx, loginAddress(codePath, next))
  }

  async function sendPassword(ctx: Context, email: string, password: string): Promise<Answer<Opened>> {
    const begun = await sessions.callAsVisitor<{ token: string }>(ctx, `${auth}/login/init`, {})
    if (!begun.ok) return begun
    return sessions.callAsVisitor<Opened>(ctx, `${auth}/login`, { email, password, login_token: begun.body.token })
  }

  function showCode(ctx: Context): void {
    const challenge = sessions.challenge(ctx)
    const next = asked.askedIn(ctx)
    // Who goes back to this page after the login has no challenge any more.
    if (!challenge) return sessions.isKept(ctx) ? goTo(ctx, next ?? home + start) : startOver(ctx, next)
    const notice = ctx.query['sent'] === '1' ? 'We’ve sent you a new code. The previous code no longer works.' : null
    show(ctx, codePage(challenge, { next, isBackup: ctx.query['with'] === 'backup', notice }))
  }

  /** The cookie of the first step is gone: it is kept as long as a code works, or the browser takes no cookies. */
  const startOver = (ctx: Context, next: string | null): void =>
    goTo(ctx, loginAddress(loginPath, next, { again: '1' }))

  async function sendSecond(ctx: Context, form: URLSearchParams): Promise<void> {
    const challenge = sessions.challenge(ctx)
    const next = asked.askedIn(ctx, form)
    if (!challenge) return startOver(ctx, next)
    if (form.get('step') === 'resend') return resendChallengeCode(ctx, challenge, next)
    const isBackup = form.get('code_type') === 'backup'
    const answer = await sessions.callAsVisitor<Tokens>(ctx, `${auth}/login/2fa/verify`, {
      challenge_id: challenge.id,
      code: typedText(form, 'code'),
      code_type: isBackup ? 'backup' : 'primary',
    })
    if (!answer.ok) return show(ctx, codePage(challenge, { next, isBackup, ...formResultOf(answer.refused) }))
    sessions.forget(ctx)
    sessions.keep(ctx, answer.body)
    goTo(ctx, next ?? home + start)
  }

  async function resendChallengeCode(ctx: Context, challenge: Challenge, next: string | null): Promise<void> {
    const answer = await sessions.callAsVisitor(ctx, `${auth}/login/2fa/resend`, { challenge_id: challenge.id })
    if (answer.ok) return goTo(ctx, loginAddress(codePath, next, { sent: '1' }))
    show(ctx, codePage(challenge, { next, isBackup: false, ...formResultOf(answer.refused) }))
  }

  async function signOut(ctx: Context): Promise<void> {
    const token = sessions.refreshToken(ctx)
    const answer = token ? await sessions.call(ctx, 'POST', `${auth}/logout`, { refresh_token: token }) : null
    // Valid cookies are kept if the logout failed: without them the user could not log out later.
    if (answer && !answer.ok && answer.refused.status !== 401) return showRefused(ctx, answer.refused)
    sessions.leave(ctx)
    goTo(ctx, `${loginPath}?out=1`)
  }

  read('/login', (ctx) => show(ctx, loginPage({ next: asked.askedIn(ctx), notice: noticeOf(ctx) })), {
    isLanding: false,
  })
  read('/login/code', showCode, { isLanding: false })
  // Who was signed in when these pages were opened does not matter.
  submit('/login', sendFirst, { isForAll: true })
  submit('/login/code', sendSecond, { isForAll: true })
  submit('/logout', signOut, { isForAll: true })
}

const tooLate =
  'No code was entered within 10 minutes, or your browser blocks our cookies. Enter your email and password again.'

function noticeOf({ query }: Context): string | null {
  if (query['out'] === '1') return 'You are signed out.'
  if (query['again'] === '1') return tooLate
  return query['ended'] === '1' ? 'Your session has expired. Please sign in again.' : null
}

type Shown = Partial<FormResult> & { notice?: string | null; next: string | null }

/** The page that was asked for, for the forms and the links of the login. */
const askedOf = (home: string, next: string | null) => ({
  asked: { name: askedName, page: next },
  links: {
    login: loginAddress(`${home}/login`, next),
    code: loginAddress(`${home}/login/code`, next),
    backup: loginAddress(`${home}/login/code`, next, { with: 'backup' }),
  },
})
