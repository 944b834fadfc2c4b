import type { Context } from 'koa'
import { noFormResult } from '../form-result.ts'
import { goTo, pageOf, type Site } from '../site.ts'
import { isUnread, keyIn, newFormKey, refusedForm } from './board-form.ts'
import { factsOf, idIn, showUnread } from './dashboard-lists.ts'
import { type Again, keyAfter } from './edit-form.ts'
import { type Invitation, shownInvitation, tooManyMails } from './team-words.ts'

const path = '/v1/team/invitations'

/** `/dashboard/settings/team/invitations/…`: one invitation, to send it again or to revoke it. */
export function addInvitationActs(site: Site, folder: string): void {
  const { home, sessions, read, submit, show } = site
  const own = `${folder.slice(home.length)}/invitations/:id`

  async function showInvitation(ctx: Context, tried: Again = {}): Promise<void> {
    const answer = await sessions.call<Invitation>(ctx, 'GET', `${path}/${idIn(ctx)}`)
    if (!answer.ok) return showUnread(site, ctx, answer.refused)
    const shown = shownInvitation(answer.body)
    const facts = factsOf([
      ['Name', shown.name],
      ['Role', shown.role],
      ['Status', shown.status],
      ['Sent', shown.sent],
      ['Expires', shown.expires],
    ])
    const { status, ...result } = { ...noFormResult, formKey: newFormKey(), ...tried }
    const mayAct = answer.body.status === 'pending' || answer.body.status === 'expired'
    const link = `${folder}/invitations/${answer.body.invitation_id}`
    const data = { isSignedIn: true, at: folder.slice(home.length), folder, link, facts, mayAct, ...result }
    const title = `Invitation to ${shown.email}`
    show(ctx, pageOf('dashboard/team-invitation', title, { ...data, heading: title }, status))
  }

  read(own, (ctx) => showInvitation(ctx))

  for (const [act, done] of [
    ['resend', 'resent'],
    ['revoke', 'revoked'],
  ] as const) {
    submit(`${own}/${act}`, async (ctx, form) => {
      const answer = await sessions.call(ctx, 'POST', `${path}/${idIn(ctx)}/${act}`, {}, keyIn(form))
      if (answer.ok) return goTo(ctx, `${folder}?done=${done}`)
      if (isUnread(answer.refused)) return showUnread(site, ctx, answer.refused)
      const result = refusedForm(answer.refused, {}, codeWords)
      await showInvitation(ctx, { ...result, formKey: keyAfter(form, result.status) })
    })
  }
}

const codeWords = {
  CONFLICT: 'Nothing was changed: this invitation has been accepted, revoked or replaced in the meantime.',
  TOO_MANY_REQUESTS: tooManyMails,
}
