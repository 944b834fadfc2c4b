import assert from 'node:assert/strict'
import { promises } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { test } from 'node:test'
import { openStubbedPages } from '../support/stubbed-pages.ts'

// The documentation, whose files are read at the first call.
const { base } = await openStubbedPages()

test('documentation that could not be read is read at the next call', async (t) => {
  const reading = t.mock.method(promises, 'readdir', () => Promise.reject(new Error('too many open files')))
  syncBuiltinESMExports()
  const first = await fetch(`${base}/docs`)
  reading.mock.restore()
  syncBuiltinESMExports()
  assert.equal(first.status, 500)
  assert.equal((await fetch(`${base}/docs`)).status, 200)
})
