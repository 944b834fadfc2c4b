import type { TSchema } from 'typebox'
import { meanings } from '../../schemas/meanings.ts'
import type { Shape } from './normalize-input.ts'

type Named = Shape & { $id?: string; description?: string }

/** The names before a noun that do not change what its fields mean: a `ListedPayment` has the fields of a `Payment`. */
const variants = /^(Created|Create|Changed|Change|Update|Listed|Public|Portal|Opened|Own)(?=[A-Z])/

/** Called with the key of each text that is used. */
export type OnUse = (key: string) => void

/**
 * The key in `meanings` of a field of `owner`: of the named schema, of its noun, of the field that holds an object
 * without a name, or of the field's name alone.
 */
export function meaningKey(owners: readonly string[], name: string): string | undefined {
  const nouns = owners.flatMap((owner) => [owner, owner.replace(variants, '')])
  return [...nouns.map((noun) => `${noun}.${name}`), name].find((key) => key in meanings)
}

/**
 * A schema in which each field has a description: its own, else that of `schemas/meanings.ts`. `owner` names a schema
 * that has no name.
 */
export function withMeanings(schema: TSchema, owner: string, onUse: OnUse = () => undefined): TSchema {
  return within(schema, [owner], onUse)
}

function within(schema: TSchema, outer: readonly string[], onUse: OnUse): TSchema {
  const { $id, properties, items, anyOf, allOf, patternProperties }: Named & { allOf?: TSchema[] } = schema
  const owners = $id === undefined ? outer : [$id]
  const each = (inner: TSchema) => within(inner, owners, onUse)
  return {
    ...schema,
    ...(properties && { properties: mapValues(properties, (inner, name) => described(inner, name, owners, onUse)) }),
    ...(patternProperties && { patternProperties: mapValues(patternProperties, each) }),
    ...(items && { items: each(items) }),
    ...(anyOf && { anyOf: anyOf.map(each) }),
    ...(allOf && { allOf: allOf.map(each) }),
  }
}

/** Whether a schema says itself what it is; also one that is made nullable. */
function hasText({ description, anyOf = [] }: Named): boolean {
  const [only, ...others] = anyOf.filter(({ type }: Named) => type !== 'null')
  return description !== undefined || (only !== undefined && others.length === 0 && hasText(only) && !('$id' in only))
}

/** A field with its description. That of a reference is the field's own: `$told` becomes its neighbour. */
function described(schema: TSchema, name: string, owners: readonly string[], onUse: OnUse): TSchema {
  const { $id }: Named = schema
  const [holder = ''] = owners
  const inner = within(schema, [`${holder}.${name}`, name, ...owners.slice(-1)], onUse)
  if ($id === undefined && hasText(schema)) return inner
  const key = meaningKey(owners, name)
  if (key === undefined) return inner
  onUse(key)
  return { ...inner, [$id === undefined ? 'description' : '$told']: meanings[key] }
}

const mapValues = <T, U>(of: Record<string, T>, change: (value: T, name: string) => U): Record<string, U> =>
  Object.fromEntries(Object.entries(of).map(([name, value]) => [name, change(value, name)]))
