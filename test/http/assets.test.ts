import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openPages } from '../support/pages.ts'
import { atEnd } from '../support/use.ts'
import { useStack } from '../support/use-stack.ts'

const stack = await useStack({ workers: false })
const pages = await openPages(stack)
atEnd(() => pages.stop())

const kept = async (path: string) => (await fetch(pages.base + path)).headers.get('cache-control')

test('a browser keeps an asset at its own address only, not what a process of another release answers', async () => {
  const page = await (await fetch(`${pages.base}/dashboard/login`)).text()
  const [, script = ''] = /src="(\/assets\/checkout\.js\?v=[0-9a-f]{12})"/.exec(page) ?? []
  assert.equal(await kept(script), 'public, max-age=31536000, immutable')
  for (const other of ['/assets/checkout.js', '/assets/checkout.js?v=000000000000', `${script}0`]) {
    assert.equal(await kept(other), 'no-store', other)
  }
})
