import type Router from '@koa/router'
import type { Static } from 'typebox'
import { dayMs } from '../../domain/duration.ts'
import type { InvitationAuthenticator, JoinedTeam, OpenedInvitation } from '../../schemas/access/invitation.ts'
import type { Answer, Refused } from '../api.ts'
import { type FieldWords, refusedForm } from './board-form.ts'
import { type NewApp, newAppOf } from './new-app.ts'
import {
  createTokenSite,
  type Sent,
  type TokenPage,
  type TokenSite,
  type TokenSiteMeans,
  type TokenVisit,
} from '../token-site.ts'
import { moment } from '../words.ts'
import { roleNames } from './team-words.ts'

type Me = Static<typeof OpenedInvitation>
type Visit = TokenVisit<Me>
type Joined = Static<typeof JoinedTeam>

const home = '/dashboard/invitation'

/**
 * `/dashboard/invitation`: the pages on which an invited person chooses a name and a password, sets up an authenticator
 * app and gets backup codes, by the token of the link in their mail. They are signed in to nothing.
 */
export function addInvitationPages(router: Router, means: TokenSiteMeans): void {
  const site = createTokenSite<Me>(router, means, {
    home,
    cookie: 'invitation_token',
    token: /^(ti_[0-9a-z]{34})_secret_[\w-]{20,100}$/,
    templates: 'invitation',
    calls: '/v1',
    reads: 'invitation',
    keptMs: dayMs, // after that the link in the mail opens it again
    noticeOf: () => null,
    around: () => ({}),
  })

  site.read('', async (visit) => site.show(visit, startPage(visit, { name: visit.me.name ?? '' })))

  site.submit('', async (visit, sent) => {
    const body = { full_name: sent.text('full_name'), password: sent.form.get('password') ?? '' }
    const accepted = await visit.call<Static<typeof InvitationAuthenticator>>('POST', 'invitation/accept', body)
    if (accepted.ok) return showApp(site, visit, accepted.body.otpauth_uri)
    if (isOver(accepted.refused)) return void site.showRefused(visit.ctx, accepted.refused)
    site.show(visit, startPage(visit, { name: body.full_name, ...refusedForm(accepted.refused, startWords) }))
  })

  site.submit(
    '/confirm',
    (visit, sent) => confirm(site, visit, sent),
    async (visit, sent) => {
      const joined = await sendCode(visit, sent)
      if (!joined.ok) return joined.refused
      showCodes(site, visit, joined.body)
      return null
    },
  )

  router.get(`${home}/:token`, (ctx, next) => {
    const { token } = ctx['params'] as { token: string }
    return token.startsWith('ti_') ? site.enter(ctx, token) : next()
  })
}

/** Sends the code. The page that asks for it shows the secret again, which its form has brought back. */
async function confirm(site: TokenSite<Me>, visit: Visit, sent: Sent): Promise<void> {
  const joined = await sendCode(visit, sent)
  if (joined.ok) return showCodes(site, visit, joined.body)
  const { refused } = joined
  if (isOver(refused)) return void site.showRefused(visit.ctx, refused)
  showApp(site, visit, sent.text('otpauth_uri'), refusedForm(refused, codeWords, codeProblems))
}

/** Under the key of its form, so that a form that is sent again gets the answer that was lost. */
function sendCode(visit: TokenVisit<Me | null>, sent: Sent): Promise<Answer<Joined>> {
  const body = { code: sent.text('code') }
  return visit.call('POST', 'invitation/confirm', body, sent.keyOf(body))
}

/** Once the token is used up, nothing tells the name of the team. */
function showCodes(
  site: TokenSite<Me>,
  visit: TokenVisit<Me | null>,
  { user, role, backup_codes: codes }: Joined,
): void {
  const signIn = role === 'reviewer' ? '/ops/login' : '/dashboard/login' // reviewers are the staff of the platform
  const data = { email: user.email, codes, team: visit.me ? teamOf(visit.me) : 'the team', signIn }
  site.leave(visit, { template: 'codes', title: 'Save your backup codes', at: '', data })
}

/** The page that asks for a code of the new app; the start page where the form has brought back no app of ours. */
function showApp(site: TokenSite<Me>, visit: Visit, uri: string, shown: Shown = {}): void {
  const app = newAppOf(uri)
  site.show(visit, app ? codePage(visit, app, shown) : startPage(visit, { name: visit.me.name ?? '' }))
}

/** Whether the invitation has ended meanwhile. A wrong code is answered with 401 too. */
const isOver = ({ status, code }: Refused): boolean => status === 401 && code !== 'INVALID_CODE'

/** What the person joins. Staff of the platform belong to no organization. */
const teamOf = ({ organization_name: name }: Me): string => name ?? 'the staff of steadypay'

type Shown = { status?: number; errors?: object; problem?: string | null }

const startPage = ({ me }: Visit, { status = 200, ...data }: Shown & { name: string }): TokenPage => ({
  template: 'start',
  title: `Join ${teamOf(me)}`,
  at: '',
  status,
  data: {
    ...data,
    team: teamOf(me),
    role: roleNames[me.role],
    until: { at: me.expires_at, words: moment(me.expires_at) },
  },
})

const codePage = ({ me }: Visit, app: NewApp, { status = 200, ...data }: Shown): TokenPage => ({
  template: 'code',
  title: 'Set up your authenticator app',
  at: '',
  status,
  data: { ...data, team: teamOf(me), app },
})

const startWords: FieldWords = {
  full_name: 'Enter your name, in at most 100 characters.',
  password: 'Choose a password of at least 8 characters.',
}
const wrongCode = 'This code is incorrect. Enter the six digits that the app shows now.'
const codeWords: FieldWords = { code: wrongCode }
const codeProblems: FieldWords = {
  INVALID_CODE: ['code', wrongCode],
  CONFLICT:
    'This address already signs in to steadypay, and an address belongs to one organization only. ' +
    'Ask whoever invited you to invite another address of yours.',
}
