import type { RequirementCode } from '../../domain/platform/requirement-code.ts'
import { isRecord } from '../../domain/narrow.ts'
import type { FieldError } from '../../domain/refusal.ts'
import type { InputErrors } from '../form-result.ts'

/** One input of a step: what it is called, where its value is in the API's body, and what is said if it is wrong. */
export type Field = {
  name: string
  label: string
  kind: 'text' | 'area' | 'select' | 'radio' | 'secret'
  /** The place in the body, such as `company.address.city`. */
  path: string
  /** The requirement that it answers; null for what nobody asks for. */
  code: RequirementCode | null
  /** What is said where it is needed and empty, and where the API refuses it. */
  missing: string
  wrong: string
  maxlength: number
  autocomplete: string
  type?: string
  inputmode?: string
  hint?: string | undefined
  options?: Option[]
  /** Whether it is needed although nothing is missing: what is chosen can be changed, and not be taken back. */
  isAlwaysNeeded?: true
  /** Another field whose text satisfies the same requirement, such as a website instead of a description. */
  unless?: string
  /** Turns what was typed into what the API takes. */
  read?: (typed: string) => unknown
}

/** A choice of a list; `group` is the heading above it. */
export type Option = { code: string; name: string; group?: string }

/** Which fields are needed now, which later, what a reviewer says about one, and which secrets are provided already. */
export type Asked = {
  due: readonly string[]
  asked: readonly string[]
  later: readonly string[]
  errors: readonly { code: string; reason: string }[]
}

type Text = (name: string) => string

/** The value at a place of an answer, as text; empty where there is none. */
export function valueAt(source: unknown, path: string): string {
  let value: unknown = source
  for (const part of path.split('.')) value = isRecord(value) ? value[part] : undefined
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' ? value : ''
}

/** Sets a value at a place of a body. */
function setAt(body: Record<string, unknown>, path: string, value: unknown): void {
  const [first = '', ...rest] = path.split('.')
  if (rest.length === 0) return void (body[first] = value)
  const inner = isRecord(body[first]) ? body[first] : {}
  body[first] = inner
  setAt(inner, rest.join('.'), value)
}

/** Takes a value out of a body; an address goes as a whole, as the API takes it only so. */
function dropAt(body: Record<string, unknown>, path: string): void {
  const [first = '', ...rest] = path.split('.')
  const inner = body[first]
  if (rest.length === 0 || first === 'address' || !isRecord(inner)) return void delete body[first]
  dropAt(inner, rest.join('.'))
  if (Object.keys(inner).length === 0) delete body[first]
}

export type Read = { typed: Record<string, string>; body: Record<string, unknown>; errors: InputErrors }

/**
 * Reads the fields of a form. What is needed and empty is an error, and keeps its value at the API; any other field
 * that is empty is cleared. A secret that is left empty keeps its value: it is never shown, so nobody can mean to clear
 * it.
 */
export function readFields(
  fields: readonly Field[],
  text: Text,
  { asked, later }: Pick<Asked, 'asked' | 'later'>,
  isProvided: (field: Field) => boolean,
): Read {
  const [typed, body, errors]: [Record<string, string>, Record<string, unknown>, InputErrors] = [{}, {}, {}]
  for (const field of fields) {
    const { name, kind, path, code, read } = field
    const given = text(name)
    if (kind !== 'secret') typed[name] = given
    const isKept = kind === 'secret' && given === '' && isProvided(field)
    const isAsked = code !== null && asked.includes(code) && !later.includes(code) && !isElsewhere(field, text)
    const isNeeded = isAsked || field.isAlwaysNeeded === true
    if (given === '' && isNeeded && !isKept) errors[name] = field.missing
    if (given !== '') setAt(body, path, read ? read(given) : given)
    else if (isOfAddress(path) || (!isNeeded && kind !== 'secret')) setAt(body, path, null)
  }
  dropOpenAddress(fields, body, errors)
  return { typed, body, errors }
}

/** Whether another field answers what this one asks for. */
const isElsewhere = ({ unless }: Field, text: Text): boolean => unless !== undefined && text(unless) !== ''

/** Whether a place is that of a part of an address. */
export const isOfAddress = (path: string): boolean => /(^|\.)address\./.test(path)

/**
 * The API takes an address only as a whole. One that lacks a part is not sent, and what was typed of it stays in the
 * form.
 */
function dropOpenAddress(fields: readonly Field[], body: Record<string, unknown>, errors: InputErrors): void {
  const first = fields.find(({ path }) => path.endsWith('address.line1'))
  if (!first) return
  const parts = fields.filter(({ path }) => isOfAddress(path))
  const isBegun = parts.some(({ path, kind }) => kind !== 'select' && valueAt(body, path) !== '')
  if (isBegun && valueAt(body, first.path) === '') errors[first.name] ??= first.missing
  if (!isBegun || parts.some(({ name }) => errors[name])) dropAddress(body, first.path)
}

function dropAddress(body: Record<string, unknown>, path: string): void {
  const [first = '', ...rest] = path.split('.')
  const inner = body[first]
  if (first === 'address') delete body[first]
  else if (isRecord(inner)) dropAddress(inner, rest.join('.'))
}

/** The errors of the API at the fields of a form, in the order of the form. */
export function errorsAt(fields: readonly Field[], refused: readonly FieldError[]): InputErrors {
  const found = fields.filter(({ path }) => refused.some(({ field }) => isAbout(field, path)))
  return Object.fromEntries(found.map(({ name, wrong }) => [name, wrong]))
}

const isAbout = (field: string, path: string): boolean => field === path || (field !== '' && path === `${field}.line1`)

/**
 * The body without what the API has refused; null: nothing is left. A field is not cleared either where the other one
 * is wrong that was to stand for it.
 */
export function withoutRefused(
  fields: readonly Field[],
  body: object,
  refused: readonly FieldError[],
): Record<string, unknown> | null {
  const rest = structuredClone(body) as Record<string, unknown>
  const wrong = errorsAt(fields, refused)
  const kept = fields.filter(({ path, unless }) => unless && wrong[unless] && valueAt(body, path) === '')
  for (const field of [...refused.map((error) => error.field), ...kept.map(({ path }) => path)]) dropAt(rest, field)
  return Object.keys(rest).length > 0 ? rest : null
}

/** The errors in the order of the fields, so that the first one gets the focus. */
export const inOrder = (fields: readonly { name: string }[], errors: InputErrors): InputErrors =>
  Object.fromEntries(fields.flatMap(({ name }) => (errors[name] ? [[name, errors[name]]] : [])))

type Shown = { typed: Record<string, string>; provided: Record<string, string>; asked: Asked }

/** The fields as the template reads them. */
export const shownFields = (fields: readonly Field[], { typed, provided, asked }: Shown) =>
  fields.map((field) => {
    const { name, code, kind } = field
    const isOpen = code !== null && asked.asked.includes(code) && !isElsewhere(field, (other) => typed[other] ?? '')
    const isAsked = field.isAlwaysNeeded ?? isOpen
    const isLater = code !== null && asked.later.includes(code)
    const isOptional = !isAsked || isLater
    const note = isAsked && isLater ? ' (needed later)' : isOptional ? ' (optional)' : ''
    const known = kind === 'secret' ? (provided[name] ?? null) : null
    const hint = known ? `${known} Leave this empty to keep it.` : field.hint
    return { ...field, label: field.label + note, isOptional: isOptional || known !== null, value: typed[name], hint }
  })

/** What a reviewer says about fields, by their names. */
export const reviewerErrors = (fields: readonly Field[], { errors }: Pick<Asked, 'errors'>): InputErrors =>
  Object.fromEntries(
    fields.flatMap(({ name, code }) => errors.flatMap((error) => (error.code === code ? [[name, error.reason]] : []))),
  )

/** The names of what is missing, as the inputs are called. Of an address one input stands for its country too. */
export const labelsOf = (fields: readonly Field[], codes: readonly string[]): string[] =>
  codes.flatMap((code) => fields.find((field) => field.code === code)?.label ?? [])
