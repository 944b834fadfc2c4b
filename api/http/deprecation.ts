import type { Context } from 'koa'
import type { TSchema } from 'typebox'
import { fieldsOf } from '../../domain/narrow.ts'
import type { Operation } from './operation.ts'

type Deprecation = { since: number; until: number }

/**
 * The fields that their schemas mark as deprecated, by name: since when they are (RFC 9745), and from when on they may
 * be removed (RFC 8594), which is at least six months later.
 */
const deprecations: Record<string, Deprecation> = {
  return_url: { since: Date.UTC(2026, 10, 22), until: Date.UTC(2027, 5, 1) },
  next_cursor: { since: Date.UTC(2026, 10, 28), until: Date.UTC(2027, 5, 1) },
  has_more: { since: Date.UTC(2026, 10, 28), until: Date.UTC(2027, 5, 1) },
}

const known = new WeakMap<TSchema, readonly string[]>()

/** The names of the deprecated fields of a body or an answer; those of objects within it do not count. */
function fieldsIn(schema: TSchema | undefined): readonly string[] {
  if (!schema) return []
  const before = known.get(schema)
  if (before) return before
  const fields = Object.entries(fieldsOf(fieldsOf(schema)['properties']))
  const names = fields.filter(([, field]) => 'deprecated' in fieldsOf(field)).map(([name]) => name)
  known.set(schema, names)
  return names
}

/** The deprecated fields that a body of the operation may have, and those that its answer has. */
export const deprecatedFields = ({ body, returns }: Pick<Operation, 'body' | 'returns'>) => ({
  taken: fieldsIn(body),
  answered: fieldsIn(returns[1]),
})

/** Sets the deprecation headers if the call sends a deprecated field, or is answered with one. */
export function addDeprecationHeaders(ctx: Context, operation: Operation, sent: Record<string, unknown>): void {
  const { taken, answered } = deprecatedFields(operation)
  const used = [...taken.filter((name) => (sent[name] ?? null) !== null), ...answered]
  if (used.length === 0) return
  const dates = used.map((name) => deprecations[name]).filter((each) => each !== undefined)
  ctx.set('Deprecation', `@${Math.min(...dates.map(({ since }) => since)) / 1000}`)
  ctx.set('Sunset', new Date(Math.min(...dates.map(({ until }) => until))).toUTCString())
}
