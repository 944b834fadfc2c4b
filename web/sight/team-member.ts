import type { Context } from 'koa'
import { managesTeam, mayGive, memberRoles } from '../../domain/access/team.ts'
import { isOneOf } from '../../domain/narrow.ts'
import { type FormResult, noFormResult } from '../form-result.ts'
import { editsOf, openedWith } from '../opened-form.ts'
import { goTo, pageOf, type Site } from '../site.ts'
import { forbidden, isUnread, refusedForm } from './board-form.ts'
import { factsOf, idIn, showUnread } from './dashboard-lists.ts'
import { notSaved } from './edit-form.ts'
import { type Member, roleNames, roleRights, shownMember } from './team-words.ts'
import { isolated } from '../isolated.ts'

const path = '/v1/team/members'

/** `/dashboard/settings/team/…`: one person, to change their role or to remove them. */
export function addMemberPages(site: Site, folder: string): void {
  const { home, sessions, personOf, read, submit, show } = site
  const own = `${folder.slice(home.length)}/:id`
  const common = { isSignedIn: true, at: folder.slice(home.length), folder }

  /** A person whom the signed-in one may change; for everybody else the page says why not, and this is null. */
  async function memberOf(ctx: Context): Promise<Member | null> {
    const answer = await sessions.call<Member>(ctx, 'GET', `${path}/${idIn(ctx)}`)
    const role = personOf(ctx)?.role ?? null
    if (!answer.ok) showUnread(site, ctx, answer.refused)
    else if (!managesTeam(role) || role === null || !mayGive(role, answer.body.role)) showUnread(site, ctx, forbidden)
    else return answer.body
    return null
  }

  async function showMember(ctx: Context, shown: Shown = noFormResult): Promise<void> {
    const member = await memberOf(ctx)
    if (!member) return
    const { name, email, factor, since } = shownMember(member)
    const facts = factsOf([
      ['Email', email],
      ['Second factor', factor],
      ['Since', since],
    ])
    const { status, ...form } = { role: member.role, ...shown }
    const ownRole = personOf(ctx)?.role ?? 'viewer'
    const choices = memberRoles.flatMap((role) =>
      mayGive(ownRole, role) ? { role, name: roleNames[role], may: roleRights[role] } : [],
    )
    const link = `${folder}/${member.user_id}`
    const isOwn = member.user_id === personOf(ctx)?.user.id
    const opened = openedWith({ role: member.role })
    const data = { ...common, heading: name, facts, choices, opened, link, isOwn, ...form }
    show(ctx, pageOf('dashboard/team-member', name, data, status))
  }

  read(own, (ctx) => showMember(ctx))

  submit(own, async (ctx, form) => {
    const member = await memberOf(ctx)
    if (!member) return
    const role = form.get('role') ?? ''
    const { changed: edited, errors } = editsOf(form, { role }, { role: member.role }, namesOf)
    if (errors.role) return showMember(ctx, { role, ...notSaved({ status: 409, errors, problem: null }) })
    if (edited.length === 0) return goTo(ctx, folder)
    const changed = await sessions.call(ctx, 'PATCH', `${path}/${idIn(ctx)}`, { role })
    if (changed.ok) return goTo(ctx, `${folder}?done=changed`)
    if (isUnread(changed.refused)) return showUnread(site, ctx, changed.refused)
    await showMember(ctx, refusedForm(changed.refused, fieldWords, codeWords))
  })

  read(`${own}/remove`, async (ctx) => {
    const member = await memberOf(ctx)
    if (!member) return
    const { name, email } = shownMember(member)
    const isOwn = member.user_id === personOf(ctx)?.user.id
    const lines = [
      isOwn
        ? 'You leave the organization: you are signed out everywhere and can’t sign in again.'
        : `${isolated(name)} (${email}) is signed out everywhere within a second and can’t sign in again.`,
      'Invitations that they have sent are revoked. API keys stay: revoke those that they may have copied.',
    ]
    const heading = isOwn ? 'Leave the organization?' : `Remove ${isolated(name)}?`
    const button = isOwn ? 'Leave' : 'Remove'
    const action = `${folder}/${member.user_id}/remove`
    const back = { link: `${folder}/${member.user_id}`, words: 'Back' }
    show(
      ctx,
      pageOf('dashboard/sure', heading, { ...common, heading, lines, button, action, values: [], change: null, back }),
    )
  })

  submit(`${own}/remove`, async (ctx) => {
    const isOwn = idIn(ctx) === personOf(ctx)?.user.id
    const removed = await sessions.call(ctx, 'DELETE', `${path}/${idIn(ctx)}`)
    if (removed.ok && isOwn) {
      sessions.leave(ctx)
      return goTo(ctx, `${home}/login?out=1`)
    }
    if (removed.ok) return goTo(ctx, `${folder}?done=removed`)
    if (isUnread(removed.refused)) return showUnread(site, ctx, removed.refused)
    await showMember(ctx, refusedForm(removed.refused, fieldWords, codeWords))
  })
}

type Shown = FormResult & { role?: string }

const namesOf = { role: (role: string): string => (isOneOf(memberRoles, role) ? roleNames[role] : role) }
const fieldWords = { role: 'Choose a role.' }
const codeWords = { CONFLICT: 'This is the last owner. Make somebody else an owner first.' }
