import { isRecord } from '../../domain/narrow.ts'

type Json = Record<string, unknown>

/**
 * A document of OpenAPI 3.1 in the form of 3.0, for generators that cannot read null and unions as 3.1 writes them
 * (decision 0067). It describes every answer of the 3.1 document, and every operation with the same fields. A rule that
 * 3.0 cannot express is left out; of a field that is sent as a text or as a list, only the list is left.
 */
export function asOpenApi30(document: Json): Json {
  const { info, paths, components } = document as { info: Json; paths: Json; components: Json & { schemas: Json } }
  const { schemas: all, ...otherComponents } = components
  const plainPaths = withPlainSchemas(paths)
  const schemas = onlyUsed(mapValues(all, plain), plainPaths)
  const choices = (part: unknown) => withChoices(part, schemas)
  return {
    ...without(document, ['webhooks']),
    openapi: '3.0.3',
    info: { ...info, license: without(info['license'] as Json, ['identifier']) },
    paths: choices(plainPaths),
    components: { ...(withPlainSchemas(otherComponents) as Json), schemas: choices(schemas) },
  }
}

const mapValues = (record: Json, map: (value: unknown) => unknown): Json =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]))

/** A part of the document that is no schema, with every schema in it in the form of 3.0. Examples stay as they are. */
function withPlainSchemas(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(withPlainSchemas)
  if (!isRecord(part)) return part
  const entries = Object.entries(part).map(([key, value]) => {
    if (key === 'schema') return [key, plain(value)]
    return [key, key === 'example' || key === 'examples' ? value : withPlainSchemas(value)]
  })
  return Object.fromEntries(entries)
}

/** A schema in the form of 3.0. */
function plain<T>(schema: T): T | Json {
  if (!isRecord(schema)) return schema
  const { properties, items, additionalProperties, oneOf, allOf, ...rest } = withoutRules(schema)
  return withReferenceAlone(
    withOneType({
      ...rest,
      ...(isRecord(properties) && { properties: mapValues(properties, plain) }),
      ...(items !== undefined && { items: plain(items) }),
      ...(additionalProperties !== undefined && { additionalProperties: plain(additionalProperties) }),
      ...(Array.isArray(allOf) && { allOf: allOf.map(plain) }),
      ...(Array.isArray(oneOf) && union(oneOf)),
    }),
  )
}

const rulesOf31 = ['if', 'else', 'not', 'propertyNames', 'uniqueItems', 'const', 'examples', 'contentMediaType']

/**
 * Without the rules that 3.0 does not have: conditions and the names of a map's keys. Also without `uniqueItems`, which
 * makes a set of an enum in Java that does not compile.
 */
const withoutRules = (schema: Json): Json => ({
  ...without(schema, rulesOf31),
  ...(Array.isArray(schema['examples']) && { example: schema['examples'][0] }),
  ...('const' in schema && { enum: [schema['const']] }),
  ...('contentMediaType' in schema && { format: 'binary' }),
})

const without = (record: Json, keys: readonly string[]): Json =>
  Object.fromEntries(Object.entries(record).filter(([key]) => !keys.includes(key)))

/** Null as `nullable`. */
function withOneType({ type, ...rest }: Json): Json {
  if (!Array.isArray(type)) return type === undefined ? rest : { type, ...rest }
  const [only, ...others] = type.filter((each) => each !== 'null')
  if (others.length > 0) throw new Error(`OpenAPI 3.0 has no schema of several types: ${type}`)
  return { type: only, ...rest, ...(type.includes('null') && { nullable: true }) }
}

/** A reference takes no other keyword in 3.0. */
function withReferenceAlone({ $ref, ...rest }: Json): Json {
  if ($ref === undefined) return rest
  return Object.keys(rest).length === 0 ? { $ref } : { ...rest, allOf: [{ $ref }] }
}

/**
 * A union without null, which is `nullable`. Of a list or a map, or something shorter for it, generators get the list
 * or the map; of other unions of plain values, any value.
 */
function union(branches: unknown[]): Json {
  const others = (branches as Json[]).filter(({ type }) => type !== 'null')
  const nullable = others.length < branches.length && { nullable: true }
  const chosen = others.find(({ type }) => type === 'array') ?? others.find(isMap)
  const [only, ...more] = chosen ? [chosen] : others
  if (only && more.length === 0) return { ...(isReference(only) ? { allOf: [alone(only)] } : plain(only)), ...nullable }
  return others.every(isReference) ? { oneOf: others.map(alone), ...nullable } : { ...nullable }
}
const alone = ({ $ref }: Json): Json => ({ $ref })
const isReference = (schema: Json): boolean => '$ref' in schema
const isMap = ({ type, properties }: Json): boolean => type === 'object' && properties === undefined

/** The schemas to which the paths lead. */
function onlyUsed(schemas: Json, paths: unknown): Json {
  const used = new Set<string>()
  const follow = (part: unknown): void => {
    for (const [, name = ''] of JSON.stringify(part).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)) {
      if (used.has(name)) continue
      used.add(name)
      follow(schemas[name])
    }
  }
  follow(paths)
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => used.has(name)))
}

/** A union of references with the field that tells its branches apart, where each branch has its own value of it. */
function withChoices(part: unknown, schemas: Json): unknown {
  if (Array.isArray(part)) return part.map((each) => withChoices(each, schemas))
  if (!isRecord(part)) return part
  const inner = mapValues(part, (value) => withChoices(value, schemas))
  const { oneOf } = inner
  if (!Array.isArray(oneOf)) return inner
  const references = (oneOf as { $ref: string }[]).map(({ $ref }) => $ref)
  const words = references.map(($ref) => wordOf(schemas[$ref.slice($ref.lastIndexOf('/') + 1)]))
  if (words.includes(undefined) || new Set(words).size < words.length) return inner
  return {
    ...inner,
    discriminator: {
      propertyName: 'type',
      mapping: Object.fromEntries(references.map(($ref, index) => [words[index], $ref])),
    },
  }
}

/** The one value that a schema takes as its `type`. */
function wordOf(schema: unknown): string | undefined {
  const { properties } = schema as { properties?: { type?: { enum?: string[] } } }
  const [word, ...others] = properties?.type?.enum ?? []
  return others.length === 0 ? word : undefined
}
