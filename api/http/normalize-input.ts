import type { TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { isRecord } from '../../domain/narrow.ts'
import type { FieldError } from '../../domain/refusal.ts'

/** The keywords of a schema that this file reads. */
export type Shape = TSchema & {
  type?: string
  format?: string
  required?: string[]
  properties?: Record<string, TSchema>
  patternProperties?: Record<string, TSchema>
  propertyNames?: { format?: string }
  items?: TSchema
  maxItems?: number
  anyOf?: TSchema[]
}

/** A body after normalization by its schema, and the errors found on the way. */
export type NormalizedInput = { value: unknown; errors: FieldError[] }

/**
 * Normalizes a body. Null for an optional field counts as left out, unless the schema allows null. Codes of currencies
 * and assets (`format: currency`) are accepted in upper or lower case (docs/contract/general.md, "Input"). Values that
 * do not fit the schema stay unchanged: the schema check reports them.
 */
export function normalizeInput(schema: TSchema | undefined, sent: unknown): NormalizedInput {
  const errors: FieldError[] = []
  return { value: schema ? normalize(schema, sent, [], errors) : sent, errors }
}

function normalize(schema: TSchema, sent: unknown, path: string[], errors: FieldError[]): unknown {
  const { anyOf, format, items }: Shape = schema
  if (anyOf) return normalize(branchFor(anyOf, sent), sent, path, errors)
  if (typeof sent === 'string') return format === 'currency' ? inCapitals(sent) : sent
  if (typeof sent !== 'object' || sent === null) return sent
  if (!Array.isArray(sent)) return normalizeObject(schema, sent, path, errors)
  const list = beginningOf(schema, sent)
  return items ? list.map((item: unknown, index) => normalize(items, item, [...path, `${index}`], errors)) : list
}

/**
 * A list, and of one that is too long as much as shows that. It is refused, and comparing all of its items, to find one
 * that is there twice, would take seconds.
 */
const beginningOf = ({ maxItems = Infinity }: Shape, sent: unknown[]): unknown[] =>
  sent.length > maxItems ? sent.slice(0, maxItems + 1) : sent

function normalizeObject(schema: Shape, sent: object, path: string[], errors: FieldError[]): object {
  const entries = new Map<string, unknown>()
  for (const [name, inner] of Object.entries(sent)) {
    const key = schema.propertyNames?.format === 'currency' ? inCapitals(name) : name
    const shape = shapeOf(schema, key)
    if (inner === null && shape && isOptional(schema, key) && !takesNull(shape)) continue
    const field = [...path, key]
    if (entries.has(key)) errors.push({ field: field.join('.'), message: 'appears twice', type: 'value_error' })
    entries.set(key, shape ? normalize(shape, inner, field, errors) : inner)
  }
  return Object.fromEntries(entries)
}

/** The schema of a field; undefined if the schema does not name it. */
export function shapeOf({ properties = {}, patternProperties = {} }: Shape, name: string): TSchema | undefined {
  if (Object.hasOwn(properties, name)) return properties[name]
  // `u`, as in the schema check: both have to count a character that is two units of UTF-16 as one.
  return Object.entries(patternProperties).find(([pattern]) => new RegExp(pattern, 'u').test(name))?.[1]
}

/**
 * Whether the schema names the field and does not require it. Keys of a map are not optional: the caller chose them.
 */
const isOptional = ({ properties = {}, required = [] }: Shape, name: string): boolean =>
  Object.hasOwn(properties, name) && !required.includes(name)

/** Whether this field may be null. */
export const takesNull = (schema: TSchema): boolean => {
  const { type, anyOf = [] }: Shape = schema
  return type === 'null' || anyOf.some(takesNull)
}

/**
 * The branch of a union that fits the value, else the one that names most of its fields. Of those that name as many it
 * is the one for which most fields count as left out.
 */
function branchFor(branches: TSchema[], sent: unknown): TSchema {
  const isFor = (branch: TSchema) => validatorOf(branch).Check(normalize(branch, sent, [], []))
  return branches.find(isFor) ?? closestOf(branches, fieldsIn(sent))
}

function closestOf(branches: TSchema[], fields: [name: string, inner: unknown][]): TSchema {
  const counted = branches.map((branch) => ({
    branch,
    named: fields.filter(([name]) => shapeOf(branch, name)).length,
    leftOut: fields.filter(([name, inner]) => inner === null && isOptional(branch, name)).length,
  }))
  const [closest] = counted.toSorted((one, other) => other.named - one.named || other.leftOut - one.leftOut)
  return closest?.branch as TSchema
}

/** The fields of an object. A text and a list have none: their keys would be each letter and each item. */
const fieldsIn = (sent: unknown): [name: string, inner: unknown][] =>
  isRecord(sent) && !Array.isArray(sent) ? Object.entries(sent) : []

const inCapitals = (code: string): string => (/^\w+$/.test(code) ? code.toUpperCase() : code)

const compiled = new WeakMap<TSchema, Validator>()

/** The validator of a schema, compiled once. */
export function validatorOf(schema: TSchema): Validator {
  let validator = compiled.get(schema)
  if (!validator) compiled.set(schema, (validator = Compile(schema)))
  return validator
}
