import { managesTeam, mayGive } from '../../domain/access/team.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { Role } from '../../domain/access/role.ts'

/** Refuses whoever may not invite, change and remove people. */
export function assertManagesTeam(role: Role | null): void {
  if (!managesTeam(role)) throw new Refusal('FORBIDDEN', 'only owners and admins manage the team')
}

/** Refuses whoever may not manage API keys. */
export function assertManagesKeys(role: Role | null): void {
  if (!managesTeam(role)) throw new Refusal('FORBIDDEN', 'only owners and admins manage keys')
}

/** Refuses what would make, change or remove an owner for an admin. */
export function assertMayGive(own: Role, role: Role): void {
  if (!mayGive(own, role)) throw new Refusal('FORBIDDEN', 'only owners can add, change and remove owners')
}
