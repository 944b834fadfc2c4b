import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Audience, openApiDocument } from '../api/http/openapi.ts'
import { documentPaths, tagDescriptions } from '../api/reference.ts'
import { operations } from '../api/operations.ts'
import { temporaryFolder, type Session } from './infra/session.ts'
import { runTool } from './infra/tool.ts'

/** Null if the OpenAPI documents keep the rules of redocly.yaml, else their errors. */
export async function lintOpenApi(session: Session): Promise<string | null> {
  const folder = temporaryFolder(session)
  const files = Object.entries(documentPaths).map(([audience, path]) => {
    const file = join(folder, path)
    const document = openApiDocument(operations, 'http://127.0.0.1:3000', tagDescriptions, audience as Audience)
    writeFileSync(file, JSON.stringify(document, null, 2))
    return file
  })
  return await runTool('redocly', 'lint', '--config', 'redocly.yaml', ...files)
}
