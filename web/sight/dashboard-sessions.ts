import type { Context } from 'koa'
import type { Static } from 'typebox'
import type { LoginSession, LoginSessions } from '../../schemas/access/team.ts'
import type { Answer } from '../api.ts'
import { goTo, pageOf, type Site } from '../site.ts'
import { moment, timeOf } from '../words.ts'
import { noticeIn } from './board-form.ts'
import { idIn, showUnread } from './dashboard-lists.ts'

type Session = Static<typeof LoginSession>

export const sessionsLink = { path: '/settings/sessions', words: 'Sessions' }

const path = '/api/v1/auth/sessions'
const notices = { ended: 'Signed out there. Its pages and calls are refused within a second.' }
const common = { isSignedIn: true, at: sessionsLink.path }

/** `/dashboard/settings/sessions`: where somebody is signed in, to sign out of one device or of all. */
export function addSessionPages(site: Site): void {
  const { home, sessions, read, submit, show, showRefused } = site
  const folder = home + sessionsLink.path
  const list = (ctx: Context): Promise<Answer<Static<typeof LoginSessions>>> => sessions.call(ctx, 'GET', path)

  read(sessionsLink.path, async (ctx) => {
    const answer = await list(ctx)
    if (!answer.ok) return showUnread(site, ctx, answer.refused)
    const items = answer.body.sessions.map((session) => ({
      ...shownSession(session),
      link: `${folder}/${session.session_id}`,
    }))
    show(ctx, pageOf('dashboard/sessions', 'Sessions', { ...common, folder, items, notice: noticeIn(ctx, notices) }))
  })

  // Before `/:id`, which would take `all` for an id.
  read(`${sessionsLink.path}/all`, async (ctx) => {
    const answer = await list(ctx)
    if (!answer.ok) return showUnread(site, ctx, answer.refused)
    const lines = ['You are signed out on every device, also on this one, and have to sign in again with your code.']
    const data = { heading: 'Sign out everywhere?', lines, action: `${folder}/all`, button: 'Sign out everywhere' }
    show(ctx, pageOf('dashboard/sure', data.heading, { ...common, ...data, ...stay }))
  })

  submit(`${sessionsLink.path}/all`, async (ctx) => {
    const done = await sessions.call(ctx, 'POST', '/api/v1/auth/logout', { logout_all_devices: true })
    if (!done.ok) return showRefused(ctx, done.refused)
    sessions.leave(ctx)
    goTo(ctx, `${home}/login?out=1`)
  })

  read(`${sessionsLink.path}/:id`, async (ctx) => {
    const answer = await list(ctx)
    if (!answer.ok) return showUnread(site, ctx, answer.refused)
    const session = answer.body.sessions.find(({ session_id: id }) => id === idIn(ctx))
    if (!session || session.is_current) return goTo(ctx, folder)
    const lines = [
      `You signed in there on ${moment(session.created_at)}${session.address ? `, from ${session.address}` : ''}.`,
      'Whoever uses that device has to sign in again. If it was not you, somebody has your password: change it.',
    ]
    const data = {
      heading: 'Sign out there?',
      lines,
      action: `${folder}/${session.session_id}`,
      button: 'Sign out there',
    }
    show(ctx, pageOf('dashboard/sure', data.heading, { ...common, ...data, ...stay }))
  })

  submit(`${sessionsLink.path}/:id`, async (ctx) => {
    const done = await sessions.call(ctx, 'DELETE', `${path}/${idIn(ctx)}`)
    if (!done.ok) return showUnread(site, ctx, done.refused)
    goTo(ctx, `${folder}?done=ended`)
  })

  const stay = { values: [], change: null, back: { link: folder, words: 'Back to the sessions' } }
}

const shownSession = (session: Session) => ({
  title: session.is_current ? 'This device' : 'Another device',
  isCurrent: session.is_current,
  address: session.address,
  signedIn: timeOf(session.created_at),
  lastUsed: timeOf(session.last_used_at),
})
