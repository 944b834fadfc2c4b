// npm run docs: writes what comes from declarations: the tables of docs/ (scripts/docs/tables.ts), .env.example, and
// the types of the client (scripts/client/generate.ts).
import { globSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generated } from './client/generate.ts'
import { renderEnvExample } from './docs/env-example.ts'
import { withTables } from './docs/with-tables.ts'
import { ROOT } from './infra/paths.ts'

for (const page of globSync('docs/**/*.md', { cwd: ROOT }).toSorted()) rewrite(page, withTables)
rewrite('.env.example', renderEnvExample)
for (const [name, render] of Object.entries(generated)) {
  const text = await render()
  rewrite(name, () => text)
}

function rewrite(name: string, render: (text: string) => string): void {
  const file = join(ROOT, name)
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const rendered = render(text)
  if (rendered === text) return
  writeFileSync(file, rendered)
  console.log(`${name} is written anew`)
}
