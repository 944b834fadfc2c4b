import { type Audience, openApiDocument } from '../../api/http/openapi.ts'
import { operations } from '../../api/operations.ts'
import { documentPaths } from '../../api/reference.ts'

type Json = Record<string, unknown>
/** The parts of an OpenAPI document that tests read. */
type OpenApi<Operation = Json> = {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Json>; headers: Record<string, Json> }
}

const audiences = Object.keys(documentPaths) as Audience[]

/** Every operation and schema of all documents: of merchants and of staff. */
export function everyDocument<Operation = Json>(): OpenApi<Operation> {
  const documents = audiences.map((audience) => openApiDocument(operations, 'http://127.0.0.1', {}, audience))
  const [all, ...others] = documents as unknown as OpenApi<Operation>[]
  if (!all) throw new Error('there is no document')
  for (const { paths, components } of others) {
    Object.assign(all.paths, paths)
    Object.assign(all.components.schemas, components.schemas)
  }
  return all
}
