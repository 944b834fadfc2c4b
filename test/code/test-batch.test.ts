import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { ROOT } from '../../scripts/infra/paths.ts'

const useOf = pathToFileURL(join(ROOT, 'test/support/use.ts')).href
const cannotStart = `
  import { use } from '${useOf}'
  await use(() => setInterval(() => {}, 1000), (timer) => { console.log('it was ended'); clearInterval(timer) })
  throw new Error('nothing to test with')`
const works = `
  import { test } from 'node:test'
  test('the next file', () => {})`

test('a file that fails before its tests ends what it has started, and the next file of its batch runs', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'steadypay-batch-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const files = Object.entries({ 'first.mjs': cannotStart, 'second.mjs': works }).map(([name, code]) => {
    writeFileSync(join(folder, name), code)
    return relative(ROOT, join(folder, name))
  })
  const env: NodeJS.ProcessEnv = { ...process.env, TEST_BATCH: files.join(' ') }
  delete env['NODE_TEST_CONTEXT'] // else it would report to the runner of this test
  const batch = spawn(process.execPath, ['test/support/run-batch.ts'], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: 60_000,
  })
  const [output, [code]] = await Promise.all([text(batch.stdout), once(batch, 'close')])
  assert.equal(code, 1, output)
  for (const part of ['nothing to test with', 'it was ended', '✔ the next file'])
    assert.ok(output.includes(part), output)
})
