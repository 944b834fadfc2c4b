import type { Static } from 'typebox'
import type { Role } from '../../domain/access/role.ts'
import type { TeamMember } from '../../schemas/access/team.ts'
import { pageOf, type Site } from '../site.ts'
import { type Listed, pagesOf, queryOf, showUnlisted, timeOf } from './dashboard-lists.ts'

type Member = Static<typeof TeamMember>

export const teamLink = { path: '/settings/team', words: 'Team' }

/** `/dashboard/settings/team`: the people of the organization, and what each role allows. */
export function addTeamPages(site: Site): void {
  const { home, sessions, personOf, read, show } = site
  const folder = home + teamLink.path

  read(teamLink.path, async (ctx) => {
    const answer = await sessions.call<Listed<Member>>(ctx, 'GET', `/v1/team/members?${queryOf(ctx, {})}`)
    if (!answer.ok) return showUnlisted(site, ctx, answer.refused, folder)
    const own = personOf(ctx)?.user.id
    const items = answer.body.items.map((member) => ({ ...shownMember(member), isOwn: member.user_id === own }))
    const data = { isSignedIn: true, at: teamLink.path, items, roles: Object.values(roles) }
    show(ctx, pageOf('dashboard/team', 'Team', { ...data, pages: pagesOf(folder, answer.body.pagination, {}) }))
  })
}

/** What each role is called and allows. Staff of the platform belong to no organization. */
const roles: Record<Exclude<Role, 'reviewer'>, { name: string; may: string }> = {
  owner: { name: 'Owner', may: 'Everything, also API keys.' },
  admin: { name: 'Admin', may: 'Everything, also API keys.' },
  developer: { name: 'Developer', may: 'Everything except API keys, payouts and transfers to others.' },
  viewer: { name: 'Viewer', may: 'Reads, also the signing secrets of webhooks.' },
}

const factors: Record<Member['method'], string> = { totp: 'Authenticator app', email_otp: 'Code by mail' }

const shownMember = ({ full_name: name, email, role, method, created_at: at }: Member) => ({
  name: name || email,
  email,
  role: role === 'reviewer' ? role : roles[role].name,
  factor: factors[method],
  since: timeOf(at),
})
