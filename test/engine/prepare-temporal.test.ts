import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { Connection } from '@temporalio/client'
import { ROOT } from '../../scripts/infra/paths.ts'
import { searchAttributes } from '../../workflows/search-attributes.ts'

const prepare = (more: NodeJS.ProcessEnv): Promise<{ code: number; stderr: string }> =>
  promisify(execFile)(process.execPath, ['scripts/prepare-temporal.ts'], {
    cwd: ROOT,
    env: { ...process.env, ...more },
  }).then(
    ({ stderr }) => ({ code: 0, stderr }),
    (error: { code: number; stderr: string }) => error,
  )

test('npm run prepare-temporal makes the namespace and its search attributes, also twice at once', async (t) => {
  const connection = await Connection.connect({ address: process.env['TEMPORAL_ADDRESS'] ?? '' })
  t.after(() => connection.close())
  const namespace = `prepared-${randomBytes(4).toString('hex')}`
  const both = await Promise.all([
    prepare({ TEMPORAL_NAMESPACE: namespace }),
    prepare({ TEMPORAL_NAMESPACE: namespace }),
  ])
  assert.deepEqual(
    both.map(({ code }) => code),
    [0, 0],
    both.map(({ stderr }) => stderr).join('\n'),
  )
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace })
  for (const { name } of Object.values(searchAttributes)) assert.ok(customAttributes?.[name] !== undefined, name)
  assert.deepEqual(await prepare({ TEMPORAL_NAMESPACE: namespace }), { code: 0, stderr: '' })
  const { code, stderr } = await prepare({ TEMPORAL_ADDRESS: 'nowhere' })
  assert.deepEqual([code, /TEMPORAL_ADDRESS must be host:port/.test(stderr)], [1, true])
})
