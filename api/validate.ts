import type { TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import type { TLocalizedValidationError } from 'typebox/error'
import { Format } from 'typebox/format'
import { Settings } from 'typebox/system'
import { type FieldFault, Refusal } from '../domain/refusal.ts'
import { isCountryCode, isPhoneNumber } from './formats.ts'

Settings.Set({ maxErrors: 200 }) // every fault is listed, not just the first few
Format.Set('e164', isPhoneNumber)
Format.Set('iso-3166-1-alpha-2', isCountryCode)

const compiled = new WeakMap<TSchema, Validator>()

/** A value with its defaults filled in, and everything that is wrong with it. */
export type Checked = { value: unknown; faults: FieldFault[] }

/**
 * Holds a value against its schema; text that cannot be stored is a fault everywhere, known field or not. What the
 * schema does not name is left out of the answer, at any depth: it is ignored, so it may never be stored or shown.
 */
export function check(schema: TSchema | undefined, value: unknown): Checked {
  const faults = textFaults(value)
  if (!schema || faults.length > 0) return { value: {}, faults }
  const validator = validatorOf(schema)
  if (!validator.Check(value)) return { value, faults: toFaults(validator.Errors(value)) }
  return { value: withDefaults(schema, known(schema, value) as Record<string, unknown>), faults }
}

function validatorOf(schema: TSchema): Validator {
  let validator = compiled.get(schema)
  if (!validator) compiled.set(schema, (validator = Compile(schema)))
  return validator
}

type Shape = TSchema & {
  properties?: Record<string, TSchema>
  patternProperties?: Record<string, TSchema>
  items?: TSchema
  anyOf?: TSchema[]
}

/** What a schema names of a value that it takes. Of a choice the first branch that takes the value counts. */
function known(schema: TSchema, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const { properties = {}, patternProperties = {}, items, anyOf } = schema as Shape
  const branch = anyOf?.find((each) => validatorOf(each).Check(value))
  if (branch) return known(branch, value)
  if (Array.isArray(value)) return items ? value.map((item: unknown) => known(items, item)) : value
  const mapped = Object.entries(patternProperties)
  if (mapped.length === 0 && !('properties' in schema)) return value // it may be anything
  const entries = Object.entries(value).flatMap(([name, inner]) => {
    const [, shape] = Object.hasOwn(properties, name)
      ? ['', properties[name]]
      : (mapped.find(([pattern]) => new RegExp(pattern).test(name)) ?? []) // a name that fits none was not checked
    return shape ? [[name, known(shape, inner)] as const] : []
  })
  return Object.fromEntries(entries)
}

/** The schemas here give defaults to their own fields only, never deeper. */
function withDefaults(schema: TSchema, value: Record<string, unknown>): Record<string, unknown> {
  const { properties = {} } = schema as { properties?: Record<string, { default?: unknown }> }
  const missing = Object.entries(properties).filter(
    ([name, { default: given }]) => given !== undefined && !Object.hasOwn(value, name),
  )
  return { ...value, ...Object.fromEntries(missing.map(([name, { default: given }]) => [name, given])) }
}

/** Query parameters are text: numbers and booleans are read where the schema wants them, the rest stays as sent. */
export function checkQuery(schema: TSchema | undefined, query: Record<string, unknown>): Checked {
  const properties = (schema as { properties?: Record<string, { type?: string }> } | undefined)?.properties ?? {}
  const read = Object.entries(query).map(([name, value]) => {
    const type = Object.hasOwn(properties, name) ? properties[name]?.type : undefined
    if (type === 'integer' && typeof value === 'string' && /^-?\d{1,9}$/.test(value)) return [name, Number(value)]
    if (type === 'boolean' && (value === 'true' || value === 'false')) return [name, value === 'true']
    return [name, value]
  })
  return check(schema, Object.fromEntries(read))
}

/** The refusal that lists these faults; a field is named once. */
export function refusal(faults: readonly FieldFault[]): Refusal {
  const listed = [...new Map(faults.toReversed().map((fault) => [fault.field, fault])).values()].toReversed()
  const [first, ...more] = listed
  const rest = more.length > 0 ? ` (and ${more.length} more)` : ''
  const detail = first ? `${first.field}: ${first.message}${rest}` : 'the request is not valid'
  return new Refusal('VALIDATION_ERROR', detail, listed)
}

/** Refuses when there is anything to refuse, with all of it. */
export function assertNoFaults(faults: readonly FieldFault[]): void {
  if (faults.length > 0) throw refusal(faults)
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

function toFaults(errors: TLocalizedValidationError[]): FieldFault[] {
  const faults = new Map<string, FieldFault>()
  for (const error of withoutOtherBranches(errors)) {
    const path = error.instancePath.split('/').slice(1).map(unescape)
    const missing = error.keyword === 'required' ? error.params.requiredProperties : [null]
    for (const name of missing) {
      const field = [...path, ...(name === null ? [] : [name])].join('.') || 'body'
      const message = name === null ? messageOf(error) : 'is required'
      const type = typeOf[error.keyword] ?? 'value_error.format'
      if (!faults.has(field)) faults.set(field, { field, message, type })
    }
  }
  return [...faults.values()]
}

// The library's own words for these would show a regular expression, or nothing of use.
const words: Record<string, string> = {
  pattern: 'does not have the right form',
  format: 'does not have the right form',
  additionalProperties: 'has a key that is not allowed',
  boolean: 'is not allowed',
}
const messageOf = ({ keyword, message }: TLocalizedValidationError) => words[keyword] ?? message

const unescape = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~')

const isMissing = ({ keyword }: TLocalizedValidationError) => keyword === 'required'

/** Of a choice every branch has complained: only what speaks about the branch that was meant is left. */
function withoutOtherBranches(errors: TLocalizedValidationError[]): TLocalizedValidationError[] {
  let left = errors
  for (const choice of errors.filter(({ keyword }) => keyword === 'anyOf')) {
    const prefix = `${choice.schemaPath}/anyOf/`
    const branches = Map.groupBy(
      left.filter(({ schemaPath }) => schemaPath.startsWith(prefix)),
      ({ schemaPath }) => schemaPath.slice(prefix.length).split('/', 1)[0],
    )
    const meant = [...branches.values()].toSorted(byLikelihood).at(0) ?? []
    left = left.filter((error) => error !== choice && (!error.schemaPath.startsWith(prefix) || meant.includes(error)))
  }
  return left
}

/** First the branch that misses the least; of equals the one that has understood the most, so has the most to say. */
function byLikelihood(one: TLocalizedValidationError[], other: TLocalizedValidationError[]): number {
  const isNull = (errors: TLocalizedValidationError[]) =>
    errors.some((error) => error.keyword === 'type' && error.params.type === 'null')
  const missing = (errors: TLocalizedValidationError[]) => errors.filter(isMissing).length
  return Number(isNull(one)) - Number(isNull(other)) || missing(one) - missing(other) || other.length - one.length
}

/** Text that cannot be kept: lone surrogates, control characters. */
function textFaults(value: unknown, path: string[] = []): FieldFault[] {
  const field = path.join('.') || 'body'
  if (typeof value === 'string') return isStorable(value) ? [] : [{ field, ...unstorable }]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) =>
    isStorable(name) ? textFaults(inner, [...path, name]) : [{ field, ...unstorable }],
  )
}

// All but tab and the ends of lines: Postgres keeps no NUL, and a terminal or a mail obeys the others.
const control = /(?![\t\n\r])\p{Cc}/u

const isStorable = (text: string): boolean => text.isWellFormed() && !control.test(text)

const unstorable = { message: 'holds a character that is not allowed', type: 'value_error.format' }
