import type { Scope } from '../../domain/access/scope.ts'
import type { Operation } from './operation.ts'

/** All scopes that a key needs for the operation; none where any key will do. */
export const neededScopes = ({ scope, alsoNeeds = [] }: Pick<Operation, 'scope' | 'alsoNeeds'>): readonly Scope[] =>
  scope === null ? [] : [scope, ...alsoNeeds]

/** What the document of an operation says about them; empty where it needs none. */
export function scopesInWords(operation: Operation): string {
  const scopes = neededScopes(operation).map((scope) => `\`${scope}\``)
  if (scopes.length === 0) return ''
  return `Needs the scope${scopes.length > 1 ? 's' : ''} ${scopes.join(', ')}.`
}
