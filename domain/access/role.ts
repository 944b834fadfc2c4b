import { type Scope, scopes } from './scope.ts'

/** The role of a person in an organization. A reviewer is staff of the platform and belongs to no organization. */
export const roles = ['owner', 'admin', 'developer', 'viewer', 'reviewer'] as const
export type Role = (typeof roles)[number]

/** The roles of the platform's own staff, who belong to no organization. */
export const staffRoles = ['reviewer', 'admin'] as const satisfies readonly Role[]

const movesMoneyOut: readonly Scope[] = ['payouts:write', 'transfers:write']

const granted: Record<Role, readonly Scope[]> = {
  owner: scopes,
  admin: scopes,
  developer: scopes.filter((scope) => !movesMoneyOut.includes(scope)),
  viewer: scopes.filter((scope) => scope.endsWith(':read')),
  reviewer: [],
}

/** The scopes that a role gives (docs/contract/access.md, "Scopes"). */
export const scopesOf = (role: Role): readonly Scope[] => granted[role]
