import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { ROOT } from '../../scripts/infra/paths.ts'

test('Python packages that cannot be installed leave nothing in the cache', () => {
  const cache = mkdtempSync(join(tmpdir(), 'steadypay-python-'))
  try {
    const requirements = join(cache, 'requirements.txt')
    writeFileSync(requirements, 'none==1\n')
    const run = `
      import { pythonPackages } from '${ROOT}/scripts/infra/python-packages.ts'
      await pythonPackages('none', '${requirements}').catch((error) => console.log(error.message))
    `
    const env = { PATH: cache, XDG_CACHE_HOME: cache }
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', run], { env, encoding: 'utf8' })
    assert.match(stdout, /none could not be installed:\npython3 is missing/)
    assert.deepEqual(readdirSync(join(cache, 'steadypay')), [])
  } finally {
    rmSync(cache, { recursive: true })
  }
})
