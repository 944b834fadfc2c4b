import { operations } from '../../api/operations.ts'
import { validateInput, validateQuery } from '../../api/http/validate.ts'
import type { FieldError } from '../../domain/refusal.ts'
import type { Failure } from './schemathesis.ts'

// Every other failure of every other check counts.

/**
 * The failures that are none: the check `positive_data_acceptance` has found that something of the described shape is
 * refused with 400. Our own shapes have no fault to find in it, so a rule has refused it that no schema can say: which
 * fields go together, what exists, what a bank allows, what is past. The interface makes each of these a 400, and its
 * answer is checked like any other. Where our own shapes do find a fault the description is wrong, but for `beyond`.
 */
export const isExcepted = ({ check: name, response, ...failure }: Failure): boolean =>
  name === 'positive_data_acceptance' && response?.status === 400 && shapeProblems(failure).every(isBeyond)

/** The faults of a shape that JSON Schema cannot say. */
const beyond: { reason: string; covers(error: FieldError): boolean }[] = [
  {
    reason: 'No text holds NUL, another control character or half a surrogate pair: every text would need a pattern.',
    covers: ({ message }) => message === 'holds a character that is not allowed',
  },
  {
    reason: 'A number is in a numbering plan and a country in ISO 3166: their patterns say only what these look like.',
    covers: ({ field, type }) => /(^|\.)(phone_number|country)$/.test(field) && type === 'value_error.format',
  },
]

const isBeyond = (error: FieldError): boolean => beyond.some(({ covers }) => covers(error))

/** What our own declarations find wrong with what was sent. */
function shapeProblems({ operation: label, request }: Pick<Failure, 'operation' | 'request'>): FieldError[] {
  const operation = operations.find(({ method, path }) => `${method.toUpperCase()} ${path}` === label)
  const query: Record<string, string> = Object.fromEntries(new URL(request.uri).searchParams)
  const inQuery = validateQuery(operation?.query, query).errors
  if (!request.body || operation?.takesFile) return inQuery
  const body = JSON.parse(request.body.toString()) as Record<string, unknown>
  return [...inQuery, ...validateInput(operation?.body, body).errors]
}
