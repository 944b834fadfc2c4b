import { type Operation, takesKey } from './operation.ts'

type Header = { description: string; required?: true; schema: object }

const count = { type: 'integer', minimum: 0 }

/** The headers of answers, as OpenAPI describes them once for all operations. */
export const answerHeaders = {
  'X-Request-Id': {
    description: 'Names the call: the one that was sent, if it was up to 64 letters, digits, `_` and `-`.',
    required: true,
    schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{1,64}$' },
  },
  'X-API-Version': {
    description: 'The version of the interface that has answered.',
    required: true,
    schema: { type: 'string', format: 'date' },
  },
  'X-RateLimit-Limit': { description: 'Calls a minute that the caller may make.', schema: count },
  'X-RateLimit-Remaining': { description: 'Calls that are left of them.', schema: count },
  'X-RateLimit-Reset': { description: 'When the minute ends: a Unix timestamp in seconds.', schema: count },
  'Retry-After': {
    description: 'The seconds after which to try again.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
  },
  'WWW-Authenticate': {
    description: 'Bearer, and what is wrong with a bearer token.',
    required: true,
    schema: { type: 'string', pattern: '^Bearer' },
  },
  'Idempotent-Replayed': {
    description: 'Sent where an earlier call with this key was answered, and this one did nothing.',
    schema: { type: 'string', const: 'true' },
  },
} as const satisfies Record<string, Header>

/** The headers that an operation may answer a status with. */
export function headersOf(operation: Operation, status: number): Record<string, unknown> {
  const names: (keyof typeof answerHeaders)[] = []
  if (status !== 400) names.push('X-Request-Id') // what is no HTTP is answered by 400 alone
  if (status < 300 || status === 429) names.push('X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset')
  if (status < 300) names.push('X-API-Version')
  if (status < 300 && takesKey(operation)) names.push('Idempotent-Replayed')
  if (status === 401) names.push('WWW-Authenticate')
  if (status === 429 || status === 503) names.push('Retry-After')
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}
