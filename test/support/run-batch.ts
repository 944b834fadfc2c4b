import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ROOT } from '../../scripts/infra/paths.ts'

// Runs the test files that TEST_BATCH lists, one after another in this process, each as a suite with its name.
//
// The test runner watches every promise by an async hook, so that it knows the suite and the test that code belongs to.
// That takes about 15 % of the processor time. Here it only watches while a file registers its tests. An error that is
// thrown outside its test later fails the whole batch, and not only the test.

const watch = lendHookOfRunner()
const { suite } = await import('node:test') // not earlier, as the runner then has made its hook
const { beginFile } = await import('./use.ts')

for (const file of (process.env['TEST_BATCH'] ?? '').split(' ')) {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  watch.enable()
  suite(file, async () => {
    const abandon = beginFile(end)
    try {
      await import(pathToFileURL(join(ROOT, file)).href)
    } catch (error) {
      await abandon() // the hooks of a suite that cannot be made never run
      throw error
    } finally {
      watch.disable()
    }
  })
  await ended
}
// A test that fails may leave something open, such as a receiver, with which this process would never end.
setTimeout(() => process.exit(), 20_000).unref()

/** Takes the place of the hook that the runner makes with its first test, and enables it only while `watch` does. */
function lendHookOfRunner(): Watch {
  const hooks = createRequire(import.meta.url)('node:async_hooks')
  const { createHook } = hooks
  let hookOfRunner: Watch | undefined
  let isWatching = false
  const lent = { enable: () => lent, disable: () => lent }
  hooks.createHook = (callbacks: object) => {
    const hook = createHook(callbacks)
    if (!new Error().stack?.includes('node:internal/test_runner/harness')) return hook
    hookOfRunner = hook
    if (isWatching) hook.enable()
    return lent
  }
  return {
    enable() {
      isWatching = true
      hookOfRunner?.enable()
    },
    disable() {
      isWatching = false
      hookOfRunner?.disable()
    },
  }
}

type Watch = { enable: () => void; disable: () => void }
