import { operations } from '../../api/operations.ts'
import { validateInput, validateQuery } from '../../api/http/validate.ts'
import type { FieldError } from '../../domain/refusal.ts'
import { nameOf } from './name.ts'
import type { Failure } from './schemathesis.ts'

// All other failures count.

/**
 * Whether a failure is expected: the check `positive_data_acceptance` has found that input of the described shape is
 * refused with 400. Our own schema finds no error in it either, so it was refused by a rule that no schema can express:
 * which fields go together, what exists, what a bank allows, what is past. The interface answers these with 400, and
 * that answer is checked like any other. If our own schema finds an error, the description is wrong, except for
 * `beyond`.
 */
export const isExcepted = ({ check: name, response, ...failure }: Failure): boolean =>
  name === 'positive_data_acceptance' && response?.status === 400 && shapeProblems(failure).every(isBeyond)

/**
 * The rules by which excepted calls were refused, the most frequent first, with the number of their calls and an
 * operation that has it. Who reads them sees whether a schema could say one of them after all.
 */
export function rulesOf(excepted: readonly Failure[]): string[] {
  const refused = excepted.flatMap(({ operation, response }) => {
    const { error_code: code, errors } = JSON.parse(response?.body ?? '{}') as Partial<ErrorObject>
    const rules = errors?.length ? errors.map(shown) : [String(code)]
    return rules.map((rule) => ({ rule: rule.replaceAll(/\d+/g, 'n'), operation }))
  })
  const byRule = [...Map.groupBy(refused, ({ rule }) => rule)].toSorted(([, a], [, b]) => b.length - a.length)
  return byRule.map(([rule, calls]) => `${calls.length} × ${rule} (${calls[0]?.operation})`)
}

type ErrorObject = { error_code: string; errors: FieldError[] }

/** The name of a field that holds a forbidden character is often made up, and may hold one itself. */
const shown = ({ field, message }: FieldError): string =>
  isForbiddenCharacter(message) ? `a text ${message}` : `${lastPart(field)} ${message}`

const isForbiddenCharacter = (message: string): boolean => message === 'holds a character that is not allowed'

const lastPart = (field: string): string => field.replace(/^.*\.(?=\D)/, '')

/** The errors of a shape that JSON Schema cannot express. */
const beyond: { reason: string; covers(error: FieldError): boolean }[] = [
  {
    reason: 'No text may hold NUL, another control character or a lone surrogate: every text would need a pattern.',
    covers: ({ message }) => isForbiddenCharacter(message),
  },
  {
    reason: 'A number must be in a numbering plan, a country in ISO 3166: the patterns describe only their form.',
    covers: ({ field, type }) => /(^|\.)(phone_number|country)$/.test(field) && type === 'value_error.format',
  },
  {
    reason: 'A host must be one that a browser can ask for, in any script: the pattern describes only its form.',
    covers: ({ field, type }) => /(^|[._])(url|website)$/.test(field) && type === 'value_error.format',
  },
]

const isBeyond = (error: FieldError): boolean => beyond.some(({ covers }) => covers(error))

/** The errors that our own schemas find in a request. */
function shapeProblems({ operation: label, request }: Pick<Failure, 'operation' | 'request'>): FieldError[] {
  const operation = operations.find((each) => nameOf(each) === label)
  const query: Record<string, string> = Object.fromEntries(new URL(request.uri).searchParams)
  const inQuery = validateQuery(operation?.query, query).errors
  if (!request.body || operation?.takesFile) return inQuery
  const body = JSON.parse(request.body.toString()) as Record<string, unknown>
  return [...inQuery, ...validateInput(operation?.body, body).errors]
}
