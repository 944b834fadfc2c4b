import { join } from 'node:path'
import { suite } from 'node:test'
import { pathToFileURL } from 'node:url'
import { ROOT } from '../../scripts/infra/paths.ts'
import { beginFile } from './use.ts'

// Runs the test files that TEST_BATCH lists, one after another in this process, each as a suite with its name.

for (const file of (process.env['TEST_BATCH'] ?? '').split(' ')) {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  suite(file, async () => {
    beginFile(end)
    await import(pathToFileURL(join(ROOT, file)).href)
  })
  await ended
}
