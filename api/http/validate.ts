import type { TSchema } from 'typebox'
import type { TLocalizedValidationError } from 'typebox/error'
import { Format } from 'typebox/format'
import { Settings } from 'typebox/system'
import { type FieldError, mustBeOneOf, Refusal } from '../../domain/refusal.ts'
import { normalizeInput, type Shape, shapeOf, validatorOf } from './normalize-input.ts'
import { isCountryCode, isPhoneNumber } from './formats.ts'
import { fieldsOf } from '../../domain/narrow.ts'
import { metadataKey, notBlank, oneLine, visibleLine } from '../../schemas/common.ts'

Settings.Set({ maxErrors: 200 }) // the library lists only the first few errors by default
Format.Set('e164', isPhoneNumber)
Format.Set('iso-3166-1-alpha-2', isCountryCode)
Format.Set('currency', () => true) // handlers answer an unknown code with CURRENCY_NOT_SUPPORTED

/**
 * A value with its defaults filled in, and all its errors. `normalized` is the value as `normalizeInput` returns it,
 * with the fields that the schema does not name.
 */
export type ValidatedInput = { value: unknown; normalized: Record<string, unknown>; errors: FieldError[] }

/**
 * Checks a value against its schema. Text that cannot be stored is an error in every field, known or not. Fields that
 * the schema does not name are left out at any depth: they are ignored, so they must not be stored or shown.
 */
export function validateInput(schema: TSchema | undefined, sent: Record<string, unknown>): ValidatedInput {
  const unstored = validateText(sent)
  if (!schema) return { value: {}, normalized: sent, errors: unstored }
  const { value, errors: ofNames } = normalizeInput(schema, sent)
  const normalized = value as Record<string, unknown>
  const validator = validatorOf(schema)
  const errors = [
    ...unstored,
    ...ofNames,
    ...(validator.Check(normalized) ? [] : toFieldErrors(schema, validator.Errors(normalized))),
  ]
  if (errors.length > 0) return { value: {}, normalized, errors }
  return { value: withDefaults(schema, known(schema, normalized) as Record<string, unknown>), normalized, errors }
}

/** The fields of a valid value that the schema names. In a union, the first branch that accepts the value counts. */
function known(schema: TSchema, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const { properties, patternProperties = {}, items, anyOf }: Shape = schema
  const branch = anyOf?.find((each) => validatorOf(each).Check(value))
  if (branch) return known(branch, value)
  if (Array.isArray(value)) return items ? value.map((item: unknown) => known(items, item)) : value
  if (Object.keys(patternProperties).length === 0 && !properties) return value // the schema allows any fields
  const entries = Object.entries(value).flatMap(([name, inner]) => {
    const shape = shapeOf(schema, name) // a name that fits no pattern was not checked, so its value is left out
    return shape ? [[name, known(shape, inner)] as const] : []
  })
  return Object.fromEntries(entries)
}

/** Fills in the defaults of the top level. Our schemas have no defaults deeper down. */
function withDefaults(schema: TSchema, value: Record<string, unknown>): Record<string, unknown> {
  const { properties = {} }: { properties?: Record<string, { default?: unknown }> } = schema
  const missing = Object.entries(properties).filter(
    ([name, { default: given }]) => given !== undefined && !Object.hasOwn(value, name),
  )
  return { ...value, ...Object.fromEntries(missing.map(([name, { default: given }]) => [name, given])) }
}

/** Query parameters are text. Those that the schema declares as numbers or booleans are parsed. */
export function validateQuery(schema: TSchema | undefined, query: Record<string, unknown>): ValidatedInput {
  const { properties = {} }: { properties?: Record<string, { type?: string }> } = schema ?? {}
  const read = Object.entries(query).map(([name, value]) => {
    const type = Object.hasOwn(properties, name) ? properties[name]?.type : undefined
    if (type === 'integer' && typeof value === 'string' && /^-?\d{1,100}$/.test(value)) return [name, Number(value)]
    if (type === 'boolean' && (value === 'true' || value === 'false')) return [name, value === 'true']
    return [name, value]
  })
  return validateInput(schema, Object.fromEntries(read))
}

/** The refusal that lists these errors, at most one per field. */
export function validationRefusal(errors: readonly FieldError[]): Refusal {
  const listed = [...new Map(errors.toReversed().map((error) => [error.field, error])).values()].toReversed()
  const [first, ...more] = listed
  const rest = more.length > 0 ? ` (and ${more.length} more)` : ''
  const detail = first ? `${first.field}: ${first.message}${rest}` : 'the request is not valid'
  return new Refusal('VALIDATION_ERROR', detail, listed)
}

/** The errors for ids that are twice in a list. If the value is no list, the schema check reports that. */
export const repeatedIn = (field: string, ids: unknown): FieldError[] =>
  (Array.isArray(ids) ? ids : []).flatMap((each: unknown, index, all: unknown[]) =>
    all.indexOf(each) < index ? { field: `${field}.${index}`, message: 'appears twice', type: 'value_error' } : [],
  )

/** Throws the refusal with all errors, if there are any. */
export function assertValid(errors: readonly FieldError[]): void {
  if (errors.length > 0) throw validationRefusal(errors)
}

const typeOf: Record<string, string> = {
  required: 'value_error.missing',
  type: 'value_error.type',
  enum: 'value_error.enum',
  const: 'value_error.enum',
  minimum: 'value_error.range',
  maximum: 'value_error.range',
  minLength: 'value_error.range',
  maxLength: 'value_error.range',
  maxItems: 'value_error.range',
  minItems: 'value_error.range',
  maxProperties: 'value_error.range',
}

function toFieldErrors(schema: TSchema, errors: TLocalizedValidationError[]): FieldError[] {
  const fieldErrors = new Map<string, FieldError>()
  for (const error of withoutOtherBranches(errors)) {
    const path = error.instancePath.split('/').slice(1).map(unescape)
    const missing = error.keyword === 'required' ? error.params.requiredProperties : [null]
    for (const name of missing) {
      const field = [...path, ...(name === null ? [] : [name])].join('.') || 'body'
      const message = name === null ? messageOf(schema, error) : requiredIn(schema, error, name)
      const type = typeOf[error.keyword] ?? 'value_error.format'
      if (!fieldErrors.has(field)) fieldErrors.set(field, { field, message, type })
    }
  }
  return [...fieldErrors.values()]
}

/** Says that a field is missing, and what it takes where the schema knows: one of a few values, or a text as shown. */
function requiredIn(schema: TSchema, { schemaPath }: TLocalizedValidationError, name: string): string {
  const { properties } = fieldsOf(schemaAt(schema, schemaPath.split('/')))
  const { enum: values, examples } = fieldsOf(fieldsOf(properties)[name])
  if (Array.isArray(values)) return `is required: ${mustBeOneOf(values)}`
  const [example] = Array.isArray(examples) ? (examples as unknown[]) : []
  return example === undefined ? 'is required' : `is required, such as ${JSON.stringify(example)}`
}

// Our words for these keywords: the library's would show a regular expression or say nothing useful.
const words: Record<string, string> = {
  additionalProperties: 'has a key that is not allowed',
}

// Our words for forms that no example shows.
const wordsOfPattern: Record<string, string> = {
  [notBlank]: 'must not be blank',
  [oneLine]: 'must be one line of text, without control characters',
  [visibleLine]: 'must be one line of text with a visible character, without control characters',
}

/** What text has to look like: an example from its schema, at `path`, says more than a pattern. */
function formOf(schema: TSchema, { schemaPath }: TLocalizedValidationError): string {
  const { pattern, examples } = fieldsOf(schemaAt(schema, schemaPath.split('/')))
  const [example] = Array.isArray(examples) ? (examples as unknown[]) : []
  if (example !== undefined) return `must look like ${String(example)}`
  return (typeof pattern === 'string' && wordsOfPattern[pattern]) || 'does not have the right form'
}

const schemaAt = (schema: TSchema, path: string[]): unknown =>
  path
    .slice(1)
    .map(unescape)
    .reduce<unknown>((inner, step) => fieldsOf(inner)[step], schema)

function messageOf(schema: TSchema, error: TLocalizedValidationError): string {
  if (error.keyword === 'enum') return mustBeOneOf(error.params.allowedValues)
  if (error.keyword === 'const') return mustBeOneOf([error.params.allowedValue])
  if (error.keyword === 'maximum') return `must be at most ${error.params.limit}`
  if (error.keyword === 'minimum') return `must be at least ${error.params.limit}`
  if (error.keyword === 'boolean') return notAmong(schema, error.schemaPath)
  if (error.keyword === 'pattern' || error.keyword === 'format') return formOf(schema, error)
  if (error.keyword === 'type') return kindOf(schema, error)
  if (error.keyword === 'maxLength') return `must have at most ${counted(error.params.limit, 'character')}`
  if (error.keyword === 'minLength') return `must have at least ${counted(error.params.limit, 'character')}`
  if (error.keyword === 'maxItems') return `must have at most ${counted(error.params.limit, 'item')}`
  if (error.keyword === 'minItems') return `must have at least ${counted(error.params.limit, 'item')}`
  if (error.keyword === 'maxProperties') return `must have at most ${counted(error.params.limit, 'key')}`
  return words[error.keyword] ?? error.message
}

const counted = (count: number | bigint, noun: string): string => `${count} ${noun}${Number(count) === 1 ? '' : 's'}`

const kinds: Record<string, string> = {
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
}

/** Which kind of value a field takes, with an example: `"25.00"` shows that an amount is not sent as a number. */
function kindOf(schema: TSchema, error: TLocalizedValidationError & { keyword: 'type' }): string {
  const named = [error.params.type].flat().map((type) => kinds[type] ?? type)
  const { examples } = fieldsOf(schemaAt(schema, error.schemaPath.split('/')))
  const [example] = Array.isArray(examples) ? (examples as unknown[]) : []
  return `must be ${named.join(' or ')}${example === undefined ? '' : `, such as ${JSON.stringify(example)}`}`
}

/** The message that lists the allowed keys of an object. `path` leads to its `additionalProperties`. */
function notAmong(schema: TSchema, path: string): string {
  const refusing = fieldsOf(schemaAt(schema, path.split('/').slice(0, -1)))
  const names = Object.keys(fieldsOf(refusing['properties']))
  if (names.length > 0) return `is not allowed: the key ${mustBeOneOf(names)}`
  const isMetadata = Object.hasOwn(fieldsOf(refusing['patternProperties']), metadataKey)
  return isMetadata ? 'is not allowed: a key has 1 to 40 characters' : 'is not allowed'
}

const unescape = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~')

const isMissing = ({ keyword }: TLocalizedValidationError) => keyword === 'required'

/** In a union, the library reports errors of every branch. This keeps only those of the branch that fits best. */
function withoutOtherBranches(errors: TLocalizedValidationError[]): TLocalizedValidationError[] {
  let left = errors
  for (const choice of errors.filter(({ keyword }) => keyword === 'anyOf')) {
    const prefix = `${choice.schemaPath}/anyOf/`
    const branches = Map.groupBy(
      left.filter(({ schemaPath }) => schemaPath.startsWith(prefix)),
      ({ schemaPath }) => schemaPath.slice(prefix.length).split('/', 1)[0],
    )
    const normalized = [...branches.values()].toSorted(byLikelihood).at(0) ?? []
    left = left.filter(
      (error) => error !== choice && (!error.schemaPath.startsWith(prefix) || normalized.includes(error)),
    )
  }
  return left
}

/**
 * Sorts the branches: `null` last, and those with the fewest incomplete objects first. Among equals the one with the
 * most errors is first, as more of its fields were checked.
 */
function byLikelihood(one: TLocalizedValidationError[], other: TLocalizedValidationError[]): number {
  const isNull = (errors: TLocalizedValidationError[]) =>
    errors.some((error) => error.keyword === 'type' && error.params.type === 'null')
  const missing = (errors: TLocalizedValidationError[]) => errors.filter(isMissing).length
  return Number(isNull(one)) - Number(isNull(other)) || missing(one) - missing(other) || other.length - one.length
}

/** The errors for text that cannot be stored: lone surrogates, control characters. */
function validateText(value: unknown, path: string[] = []): FieldError[] {
  const field = path.join('.') || 'body'
  if (typeof value === 'string') return isStorable(value) ? [] : [{ field, ...unstorable }]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) =>
    isStorable(name) ? validateText(inner, [...path, name]) : [{ field, ...unstorable }],
  )
}

// All but tab and line ends. Postgres cannot store NUL, and terminals and mails interpret the others.
const control = /(?![\t\n\r])\p{Cc}/u

const isStorable = (text: string): boolean => text.isWellFormed() && !control.test(text)

const unstorable = { message: 'holds a character that is not allowed', type: 'value_error.format' }
