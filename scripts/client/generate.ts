import { ts } from '@ts-morph/common'
import { openApiDocument } from '../../api/http/openapi.ts'
import { contentTypeOf, type Operation, takesKey } from '../../api/http/operation.ts'
import { operations } from '../../api/operations.ts'
import { errorCodes } from '../../domain/refusal.ts'
import { useTypeScriptApi } from './typescript-api.ts'

type Responses = Record<string, { headers?: object }>
type Described = { responses: Responses }
type Document = Record<'paths' | 'webhooks', Record<string, Record<string, Described>>>

const heading = '// Written by `npm run docs` from the OpenAPI document. Do not edit.\n'

/** The types of the client, from the OpenAPI document for merchants. */
export async function renderClientTypes(): Promise<string> {
  useTypeScriptApi()
  const { default: openapiTS, astToString } = await import('openapi-typescript')
  const document = withoutRefusals(openApiDocument(operations, 'http://127.0.0.1') as unknown as Document)
  const text = astToString(await openapiTS(document as never, { transform: blobOfFile }))
  return heading + text.replace('export type $defs = Record<string, never>;\n', '')
}

/** A file is a `Blob`, and no text. Undefined for everything else: it has the usual type. */
const blobOfFile = ({ format }: { format?: string }) =>
  format === 'binary' ? ts.factory.createTypeReferenceNode('Blob') : undefined

/** Refusals are thrown, and no type says what a call throws. Without them the file is half as long. */
function withoutRefusals(document: Document): Document {
  for (const described of [document.paths, document.webhooks].flatMap(Object.values).flatMap(Object.values)) {
    const { responses } = described as Described
    for (const [status, answer] of Object.entries(responses)) {
      if (status.startsWith('2')) delete answer.headers
      else delete responses[status]
    }
  }
  return document
}

/** What the client has to know of operations while it runs. */
export function renderClientOperations(): string {
  const known = operations.filter(({ forStaff }) => forStaff !== true)
  const nameOf = ({ method, path }: Operation) => `${method.toUpperCase()} ${path}`
  const keyed = known.filter(takesKey).map(nameOf)
  const others = known.filter((operation) => contentTypeOf(operation) !== 'application/json')
  const typed = others.map((operation) => `['${nameOf(operation)}', '${contentTypeOf(operation)}']`)
  return [
    heading,
    '/** The operations that take an idempotency key. */',
    'export const takingKeys: ReadonlySet<string> = new Set([',
    ...keyed.toSorted().map((name) => `  '${name}',`),
    '])',
    '',
    '/** The operations that answer with something else than JSON, and its type. */',
    'export const otherTypes: ReadonlyMap<string, string> = new Map([',
    ...typed.toSorted().map((pair) => `  ${pair},`),
    '])',
    '',
    '/** The error codes of the API. */',
    'export const errorCodes = [',
    ...Object.keys(errorCodes).map((code) => `  '${code}',`),
    '] as const',
    '',
  ].join('\n')
}

/** The generated files of the client, by their paths. */
export const generated = {
  'client/library/openapi.ts': renderClientTypes,
  'client/library/operations.ts': renderClientOperations,
}
