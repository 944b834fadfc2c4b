import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openApiDocument } from '../api/http/openapi.ts'
import { tagDescriptions } from '../api/reference.ts'
import { operations } from '../api/operations.ts'
import { temporaryFolder, type Session } from './infra/session.ts'
import { runTool } from './infra/tool.ts'

/** Null if the OpenAPI document keeps the rules of redocly.yaml, else its errors. */
export async function lintOpenApi(session: Session): Promise<string | null> {
  const file = join(temporaryFolder(session), 'openapi.json')
  writeFileSync(file, JSON.stringify(openApiDocument(operations, 'http://127.0.0.1:3000', tagDescriptions), null, 2))
  return await runTool('redocly', 'lint', '--config', 'redocly.yaml', file)
}
