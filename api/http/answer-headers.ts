import { deprecatedFields } from './deprecation.ts'
import { type Operation, takesKey } from './operation.ts'

type Header = { description: string; required?: true; schema: object }

const count = { type: 'integer', minimum: 0 }

/** The headers of answers, described once in OpenAPI for all operations. */
export const answerHeaders = {
  'X-Request-Id': {
    description: 'The id of the call: yours, if you sent up to 64 letters, digits, `_` and `-`, else a new one.',
    required: true,
    schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{1,64}$' },
  },
  'X-API-Version': {
    description: 'The version of the API that this answer follows.',
    required: true,
    schema: { type: 'string', format: 'date' },
  },
  'X-RateLimit-Limit': { description: 'The calls that the caller may make in a minute.', schema: count },
  'X-RateLimit-Remaining': { description: 'The calls that are left in this minute.', schema: count },
  'X-RateLimit-Reset': { description: 'When the minute ends: a Unix timestamp in seconds.', schema: count },
  'Retry-After': {
    description: 'The seconds to wait before trying again.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
  },
  'WWW-Authenticate': {
    description: '`Bearer`, with the error if a bearer token was sent.',
    required: true,
    schema: { type: 'string', pattern: '^Bearer' },
  },
  Deprecation: {
    description:
      'Sent if the call uses a deprecated field, or is answered with one: since when it is deprecated (RFC 9745).',
    schema: { type: 'string', pattern: '^@[0-9]+$' },
  },
  Sunset: {
    description: 'Sent with `Deprecation`: from when on the field may be refused, or missing (RFC 8594).',
    schema: { type: 'string' },
  },
  'Content-Disposition': {
    description: 'The name under which a browser saves the file.',
    required: true,
    schema: { type: 'string', pattern: '^inline; filename="' },
  },
  'Idempotent-Replayed': {
    description: 'Sent if this is the stored answer to an earlier call with this key.',
    schema: { type: 'string', const: 'true' },
  },
} as const satisfies Record<string, Header>

/** A conflict is worth a repetition only if another call with the same key is still at work. */
const retryAfterConflict = {
  description: 'Sent if a call with the same key is still at work: the seconds to wait before trying again.',
  schema: answerHeaders['Retry-After'].schema,
}

/** The headers that an answer of the operation with this status may have. */
export function headersOf(operation: Operation, status: number): Record<string, unknown> {
  const isSuccess = status < 300
  const names: (keyof typeof answerHeaders)[] = []
  if (status !== 400) names.push('X-Request-Id') // a request that is not valid HTTP gets a 400 without this header
  if (isSuccess || status === 429) names.push('X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset')
  if (isSuccess) names.push('X-API-Version')
  if (isSuccess && operation.returnsFile) names.push('Content-Disposition')
  if (isSuccess && takesKey(operation)) names.push('Idempotent-Replayed')
  const { taken, answered } = deprecatedFields(operation)
  if (taken.length > 0 || answered.length > 0) names.push('Deprecation', 'Sunset')
  if (status === 401) names.push('WWW-Authenticate')
  if (status === 429 || status === 503) names.push('Retry-After')
  return {
    ...Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
    ...(status === 409 && takesKey(operation) && { 'Retry-After': retryAfterConflict }),
  }
}
