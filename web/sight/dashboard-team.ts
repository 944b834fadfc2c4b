import type { Context } from 'koa'
import type { Role } from '../../domain/access/role.ts'
import { managesTeam, memberRoles, mayGive } from '../../domain/access/team.ts'
import type { Answer } from '../api.ts'
import { noFormResult } from '../form-result.ts'
import { typedText } from '../form.ts'
import { goTo, pageOf, type Site } from '../site.ts'
import { type FieldWords, isUnread, keyIn, newFormKey, noticeIn, refusedForm, reusedWords } from './board-form.ts'
import { type Listed, pagesOf, queryOf, showUnlisted, showUnread } from './dashboard-lists.ts'
import { type Again, keyAfter } from './edit-form.ts'
import { addInvitationActs } from './team-invitation.ts'
import { addMemberPages } from './team-member.ts'
import {
  type Invitation,
  type Member,
  roleNames,
  roleRights,
  shownInvitation,
  shownMember,
  tooManyMails,
} from './team-words.ts'

export const teamLink = { path: '/settings/team', words: 'Team' }

const path = '/v1/team/members'
const notices = {
  invited: 'The invitation is on its way. Its link works for 7 days.',
  resent: 'A new mail is on its way. The link in the earlier one no longer works.',
  revoked: 'The invitation is revoked. Its link no longer works.',
  changed: 'The role is changed. It holds within a second.',
  removed: 'The person is removed and signed out everywhere.',
}

type Typed = { email: string; name: string; role: string }
type Shown = Again & { typed?: Typed }

/** `/dashboard/settings/team`: the people of the organization and what each role allows; managers invite and change. */
export function addTeamPages(site: Site): void {
  const { home, sessions, personOf, read, submit } = site
  const folder = home + teamLink.path

  read(teamLink.path, (ctx) => showTeam(site, ctx))

  submit(`${teamLink.path}/invitations`, async (ctx, form) => {
    const typed = { email: typedText(form, 'email'), name: typedText(form, 'name'), role: form.get('role') ?? '' }
    const { name, ...rest } = typed
    const body = { ...rest, ...(name !== '' && { name }) }
    const sent = await sessions.call(ctx, 'POST', '/v1/team/invitations', body, keyIn(form))
    if (sent.ok) return goTo(ctx, `${folder}?done=invited`)
    // A manager is refused for the role of an owner only, and may choose another one.
    const isAboutRole = sent.refused.status === 403 && managesTeam(personOf(ctx)?.role ?? null)
    if (isUnread(sent.refused) && !isAboutRole) return showUnread(site, ctx, sent.refused)
    const result = refusedForm(sent.refused, fieldWords, { ...codeWords, ...reusedWords(sent.refused) })
    await showTeam(site, ctx, { typed, ...result, formKey: keyAfter(form, result.status) })
  })

  // Before `/:id`, which would take `invitations` for an id.
  addInvitationActs(site, folder)
  addMemberPages(site, folder)
}

/** The invitations that a manager may want to send again or to revoke. Nobody else may see them. */
async function openInvitations({ sessions }: Site, ctx: Context): Promise<Answer<Invitation[]>> {
  const lists = await Promise.all(
    ['pending', 'expired'].map((status) =>
      sessions.call<Listed<Invitation>>(ctx, 'GET', `/v1/team/invitations?limit=100&status=${status}`),
    ),
  )
  const invitations: Invitation[] = []
  for (const list of lists) {
    if (!list.ok) return list
    invitations.push(...list.body.items)
  }
  return { ok: true, body: invitations }
}

async function showTeam(site: Site, ctx: Context, shown: Shown = {}): Promise<void> {
  const { home, sessions, personOf, show } = site
  const folder = home + teamLink.path
  const members = await sessions.call<Listed<Member>>(ctx, 'GET', `${path}?${queryOf(ctx, {})}`)
  if (!members.ok) return showUnlisted(site, ctx, members.refused, folder)
  const person = personOf(ctx)
  const isManager = managesTeam(person?.role ?? null)
  const invitations = isManager ? await openInvitations(site, ctx) : { ok: true as const, body: [] }
  if (!invitations.ok) return showUnread(site, ctx, invitations.refused)
  const mayChange = (role: Role) => isManager && person !== null && mayGive(person.role, role)
  const { status, ...result } = { ...noFormResult, typed: nothingTyped, ...shown }
  const data = {
    isSignedIn: true,
    at: teamLink.path,
    folder,
    items: members.body.items.map((each) => ({
      ...shownMember(each),
      isOwn: each.user_id === person?.user.id,
      link: mayChange(each.role) ? `${folder}/${each.user_id}` : null,
    })),
    isManager,
    invitations: invitations.body.map((each) => ({
      ...shownInvitation(each),
      link: mayChange(each.role) ? `${folder}/invitations/${each.invitation_id}` : null,
    })),
    roles: memberRoles.map((role) => ({ name: roleNames[role], may: roleRights[role] })),
    choices: memberRoles.filter(mayChange).map((code) => [code, roleNames[code]]),
    formKey: newFormKey(),
    notice: noticeIn(ctx, notices),
    pages: pagesOf(folder, members.body.pagination, {}),
    ...result,
  }
  show(ctx, pageOf('dashboard/team', 'Team', data, status))
}

const nothingTyped: Typed = { email: '', name: '', role: 'developer' }

const fieldWords: FieldWords = {
  email: 'Enter an email address, such as ada@example.com.',
  name: 'Enter a name of at most 100 characters, or leave it empty.',
  role: 'Choose a role.',
}
const codeWords: FieldWords = {
  FORBIDDEN: 'Only owners can invite an owner, or replace the invitation of one.',
  TOO_MANY_REQUESTS: tooManyMails,
}
