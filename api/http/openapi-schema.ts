import { isRecord } from '../../domain/narrow.ts'

type Json = Record<string, unknown>

/**
 * Moves schemas that have a name into the components and replaces them with references. All schemas get the form that
 * code generators read without loss (decision 0050): they take the same values as before.
 */
export function hoist(schema: unknown, components: Json): unknown {
  if (Array.isArray(schema)) return schema.map((item) => hoist(item, components))
  if (!isRecord(schema)) return schema
  const { $id, $told, ...rest } = schema
  const inner = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, hoist(value, components)]))
  const plain = withPlainTime(withPlainConstant(withTypeOfValues(withPlainUnion(withPlainMap(inner)))))
  if (typeof $id !== 'string') return plain
  components[$id] = plain
  return { $ref: `#/components/schemas/${$id}`, ...(typeof $told === 'string' && { description: $told }) }
}

/** A list of values with their type: generators read a list without a type as `any`. */
function withTypeOfValues(schema: Json): Json {
  const { enum: values, type } = schema
  if (!Array.isArray(values) || type !== undefined) return schema
  const types = [...new Set(values.map(typeOf))]
  return { type: types.length === 1 ? types[0] : types, ...schema }
}

const typeOf = (value: unknown): string =>
  value === null ? 'null' : Number.isInteger(value) ? 'integer' : typeof value

/** A boolean of one value as one that is not the other: of a list of booleans generators make an enum of texts. */
function withPlainConstant(schema: Json): Json {
  const { enum: values, const: value, ...rest } = schema
  const accepted = (Array.isArray(values) ? values : [value]).filter((each) => each !== null)
  const [only, ...others] = accepted
  if (typeof only !== 'boolean' || others.length > 0) return schema
  return { ...rest, not: { type: 'boolean', const: !only } }
}

/** The form of a time under `else`: generators read a time as one, and cannot compare it with a pattern. */
function withPlainTime(schema: Json): Json {
  const { pattern, ...rest } = schema
  if (schema['format'] !== 'date-time' || pattern === undefined) return schema
  return { ...rest, if: { not: { type: 'string' } }, else: { pattern } }
}

/** A map as `additionalProperties`, as most generators do not read `patternProperties`. */
function withPlainMap(schema: Json): Json {
  const { patternProperties, additionalProperties: _closed, propertyNames, ...rest } = schema
  const [only, ...others] = Object.entries(isRecord(patternProperties) ? patternProperties : {})
  if (!only || others.length > 0 || rest['properties']) return schema
  const [pattern, values] = only
  const names = { ...(isRecord(propertyNames) && propertyNames), ...(pattern !== '^.*$' && { pattern }) }
  const isAny = isRecord(values) && Object.keys(values).length === 0
  return {
    ...rest,
    ...(Object.keys(names).length > 0 && { propertyNames: names }),
    additionalProperties: isAny ? true : values,
  }
}

/**
 * A union as `oneOf`: of `anyOf` generators make one class with the fields of all branches. Null is a second type of
 * a single branch that is no reference; else it is a branch.
 */
function withPlainUnion(schema: Json): Json {
  const { anyOf, ...rest } = schema
  if (!Array.isArray(anyOf)) return schema
  const branches = anyOf.flatMap(flat)
  const others = branches.filter((branch) => branch['type'] !== 'null')
  const [only] = others
  const isNullable = others.length < branches.length && !others.some(takesNull)
  if (only && others.length === 1 && isNullable && typeof only['type'] === 'string') return { ...orNull(only), ...rest }
  if (only && others.length === 1 && takesNull(only)) return { ...only, ...rest }
  const text = textOrWord(others)
  if (text) return { ...(isNullable ? orNull(text) : text), ...rest }
  const [{ description, ...first }, ...more] = [...others, ...(isNullable ? [{ type: 'null' }] : [])] as [
    Json,
    ...Json[],
  ]
  const ownDescription = anyOf.find(isUnion)?.['description'] ?? (others.length === 1 ? description : undefined)
  return {
    ...(ownDescription !== undefined && { description: ownDescription }),
    ...rest,
    oneOf: [ownDescription === description ? first : { description, ...first }, ...more],
  }
}

/**
 * A union of a text of some form and one fixed word, as one text: generators cannot make a class of two kinds of text.
 * Null if the branches are something else.
 */
function textOrWord(branches: Json[]): Json | null {
  const [{ type, ...form } = {} as Json, word, ...more] = branches
  if (type !== 'string' || !word || !('const' in word) || 'const' in form || more.length > 0) return null
  const { examples, ...rules } = form
  return {
    type,
    ...(examples !== undefined && { examples }),
    if: { type, const: word['const'] },
    else: rules,
  }
}

const takesNull = ({ type }: Json): boolean => Array.isArray(type) && type.includes('null')

/** The branches of a union inside a union. */
const flat = (branch: unknown): Json[] => (isUnion(branch) ? branch.oneOf.flatMap(flat) : [branch as Json])

/** Whether a schema is a union and nothing else, except that it may have a description. */
const isUnion = (schema: unknown): schema is Json & { oneOf: unknown[] } =>
  isRecord(schema) &&
  Array.isArray(schema['oneOf']) &&
  Object.keys(schema).every((key) => key === 'oneOf' || key === 'description')

/** A schema with one type, made to take null too. */
function orNull(schema: Json): Json {
  const { type, enum: values, const: value, ...rest } = schema
  const listed = Array.isArray(values) ? values : 'const' in schema ? [value] : null
  return { type: [type, 'null'], ...(listed && { enum: [...listed, null] }), ...rest }
}
