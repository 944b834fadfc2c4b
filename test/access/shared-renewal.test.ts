import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromAnywhere } from '../support/api.ts'
import { createLogins } from '../support/login.ts'
import { openPages } from '../support/pages.ts'
import { atEnd } from '../support/use.ts'
import { useApi, useStack } from '../support/use-stack.ts'

// The pages of two API processes: a browser sends both the same cookies, and either may answer a tab.
let now = Date.now()
const stack = await useStack({ workers: false, clock: { now: () => now } })
await useApi(stack)
const logins = createLogins(stack)
const both = [await openPages(stack), await openPages(stack)]
atEnd(() => both.forEach((pages) => pages.stop()))

/** Opens a page with a login whose access token has expired, and returns its status and the new refresh token. */
async function open(base: string, refreshToken: string) {
  const headers = { cookie: `dashboard_refresh=${refreshToken}`, ...fromAnywhere() }
  const answer = await fetch(`${base}/dashboard/payments`, { headers, redirect: 'manual' })
  const cookies = answer.headers.getSetCookie().join('\n')
  return { status: answer.status, next: /dashboard_refresh=(rt_[\w-]+)/.exec(cookies)?.[1] ?? null }
}

test('two tabs that renew their login at once by two processes stay signed in', async () => {
  for (let round = 0; round < 3; round++) {
    const person = await logins.addPerson()
    const { refresh_token: old } = await logins.logIn(person)
    const tabs = await Promise.all(both.map(({ base }) => open(base, old)))
    for (const { status, next } of tabs) {
      assert.equal(status, 200)
      assert.ok(next !== null && next !== old)
    }
    now += 60_000
    for (const { next } of tabs) assert.equal((await open(both[0]?.base ?? '', String(next))).status, 200)
    assert.ok(!(await logins.audited(person.id)).includes('login.refresh_reused'))
  }
})

test('a refresh token that the pages get later once more ends its session', async () => {
  const person = await logins.addPerson()
  const { refresh_token: old } = await logins.logIn(person)
  const [one, other] = both.map(({ base }) => base)
  const first = await open(String(one), old)
  assert.equal(first.status, 200)
  now += 10_000
  assert.deepEqual(await open(String(other), old), { status: 303, next: null })
  assert.equal((await open(String(one), String(first.next))).status, 303)
  assert.ok((await logins.audited(person.id)).includes('login.refresh_reused'))
})
