import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Audience, openApiDocument } from '../api/http/openapi.ts'
import { asOpenApi30 } from '../api/http/openapi-3-0.ts'
import { documentFor30, documentPaths, tagDescriptions } from '../api/reference.ts'
import { operations } from '../api/operations.ts'
import { temporaryFolder, type Session } from './infra/session.ts'
import { runTool } from './infra/tool.ts'

/**
 * Rules that the form of 3.0 does not keep: null beside a reference is what generators read, and what validators do not
 * (decision 0067). The examples are those of the 3.1 document, where they are checked.
 */
const notOf30 = ['nullable-type-sibling', 'no-invalid-media-type-examples']

/** Null if the OpenAPI documents keep the rules of redocly.yaml, else their errors. */
export async function lintOpenApi(session: Session): Promise<string | null> {
  const folder = temporaryFolder(session)
  const write = (path: string, document: object) => {
    const file = join(folder, path)
    writeFileSync(file, JSON.stringify(document, null, 2))
    return file
  }
  const of = (audience: Audience) => openApiDocument(operations, 'http://127.0.0.1:3000', tagDescriptions, audience)
  const files = Object.entries(documentPaths).map(([audience, path]) => write(path, of(audience as Audience)))
  const file30 = write(documentFor30, asOpenApi30(of('merchants')))
  const lint = (...args: string[]) => runTool('redocly', 'lint', '--config', 'redocly.yaml', ...args)
  return (await lint(...files)) ?? (await lint(file30, ...notOf30.map((rule) => `--skip-rule=${rule}`)))
}
