import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRateLimiter } from '../../api/http/rate-limit.ts'
import { openDatabase } from '../../db/open-database.ts'
import { assertError, bearer, fromAnywhere } from '../support/api.ts'
import { openPages } from '../support/pages.ts'
import { useApi, useStack } from '../support/use-stack.ts'
import { addSession, addUser } from '../support/user.ts'

const stack = await useStack({ workers: false })
const api = await useApi(stack, { limited: true })

const minute = 60_000
/** Each test gets a minute of its own and starts in the middle of it, so that it ends in the window it began in. */
let minutes = Math.floor(Date.now() / minute)
const ownMinute = () => (minutes += 1) * minute + 30_000

const at = (now: number) => ({ clock: { now: () => now } })
const read = (url: string, headers: Record<string, string>) => fetch(`${url}/v1/payments`, { headers })
const limitsIn = ({ headers }: Response) =>
  ['limit', 'remaining', 'reset'].map((name) => Number(headers.get(`x-ratelimit-${name}`)))

/**
 * How many of `calls` parallel calls, spread over the processes, are let through. Their input is wrong: it is looked at
 * after they are counted, and then they do not wait for each other as reads of one account do.
 */
async function countAllowed(urls: string[], calls: number, headers: Record<string, string>): Promise<number> {
  const statuses = await Promise.all(
    Array.from({ length: calls }, async (_, index) => {
      const response = await fetch(`${urls[index % urls.length]}/v1/payments?limit=none`, { headers })
      await response.arrayBuffer()
      return response.status
    }),
  )
  assert.ok(statuses.every((status) => status < 500))
  return statuses.filter((status) => status !== 429).length
}

test('TOO_MANY_REQUESTS: the 101st call of a minute, with headers that say when to call again', async () => {
  const { key } = await api.addKey({ accountId: await api.addAccount(), rateTier: 'standard' })
  const now = ownMinute()
  const url = await api.addProcess(at(now))
  const reset = (minutes + 1) * 60
  for (let count = 1; count <= 100; count++) {
    const response = await read(url, bearer(key))
    assert.equal(response.status, 200)
    assert.deepEqual(limitsIn(response), [100, 100 - count, reset])
    assert.equal(response.headers.get('retry-after'), null)
    await response.arrayBuffer()
  }
  const response = await read(url, bearer(key))
  assert.deepEqual(limitsIn(response), [100, 0, reset])
  assert.equal(response.headers.get('retry-after'), '30')
  const body = (await response.json()) as Record<string, never>
  assertError({ status: response.status, headers: response.headers, body, text: '' }, 429, 'TOO_MANY_REQUESTS')
})

test('a window begins and ends with its minute', async () => {
  const { key } = await api.addKey({ accountId: await api.addAccount(), rateTier: 'standard' })
  let now = ownMinute() + 29_999
  const url = await api.addProcess({ clock: { now: () => now } })
  assert.equal(await countAllowed([url], 120, bearer(key)), 100)
  const last = await read(url, bearer(key))
  assert.equal(last.headers.get('retry-after'), '1')
  now += 1
  assert.equal(await countAllowed([url], 120, bearer(key)), 100)
  const next = await read(url, bearer(key))
  assert.equal(next.headers.get('retry-after'), '60')
  assert.equal(limitsIn(next)[2], (minutes + 2) * 60)
})

test('300 parallel calls to two processes: exactly 100 are allowed', async () => {
  const { key } = await api.addKey({ accountId: await api.addAccount(), rateTier: 'standard' })
  const now = ownMinute()
  const database = await openDatabase(stack.databaseUrl, 4)
  const urls = [await api.addProcess(at(now)), await api.addProcess({ ...at(now), database })]
  assert.equal(await countAllowed(urls, 300, bearer(key)), 100)
  await database.orm.close()
})

test('calls of two minutes that are counted in one statement stay separate', async () => {
  const limiter = createRateLimiter(stack.database)
  const now = ownMinute()
  const inFirst = Array.from({ length: 60 }, () => limiter.hit('test/edge', 100, now))
  const inSecond = Array.from({ length: 60 }, () => limiter.hit('test/edge', 100, now + minute))
  const later = await Promise.all(inSecond)
  assert.ok((await Promise.all(inFirst)).every(({ allowed }) => allowed))
  assert.deepEqual(later.map(({ remaining }) => remaining).toSorted((left, right) => right - left)[0], 99)
  assert.ok(later.every(({ allowed }) => allowed))
  ownMinute()
})

test('calls that were counted by a clock an hour ahead refuse nobody once the clock is right', async () => {
  const { key } = await api.addKey({ accountId: await api.addAccount(), rateTier: 'standard' })
  let now = ownMinute() + 60 * minute
  const url = await api.addProcess({ clock: { now: () => now } })
  assert.equal(await countAllowed([url], 120, bearer(key)), 100)
  now -= 60 * minute
  assert.equal(await countAllowed([url], 120, bearer(key)), 100)
})

for (const [tier, limit] of [
  ['elevated', 500],
  ['platform', 1000],
] as const) {
  test(`the tier ${tier} has ${limit} calls a minute`, async () => {
    const { key } = await api.addKey({ accountId: await api.addAccount(), rateTier: tier })
    const url = await api.addProcess(at(ownMinute()))
    await stack.sql(
      `insert into rate_windows (subject, window_start, hits)
       select id, ?, ? from api_keys order by created_at desc, id desc limit 1`,
      [new Date(minutes * minute), limit - 20],
    )
    assert.equal(await countAllowed([url], 40, bearer(key)), 20)
    assert.deepEqual(limitsIn(await read(url, bearer(key))).slice(0, 2), [limit, 0])
  })
}

test('an unlimited key is never refused, and its answers name no limit', async () => {
  const { key } = await api.addKey({ accountId: await api.addAccount(), rateTier: 'unlimited' })
  const url = await api.addProcess(at(ownMinute()))
  assert.equal(await countAllowed([url], 200, bearer(key)), 200)
  assert.equal((await read(url, bearer(key))).headers.get('x-ratelimit-limit'), null)
})

test('a person has 100 calls a minute, in all of their sessions and from all addresses together', async () => {
  const now = ownMinute()
  const services = { accessTokens: stack.services.accessTokens, clock: at(now).clock }
  const accountId = await api.addAccount()
  const person = await addUser({ database: stack.database, services }, { accountId, role: 'owner' })
  const sessionId = await addSession({ database: stack.database, services }, person.id)
  const tokens = [await person.token(), await services.accessTokens.sign({ userId: person.id, sessionId }, now)]
  const url = await api.addProcess(at(now))
  const allowed = await Promise.all(
    tokens.map((token) => countAllowed([url], 70, { ...bearer(token), ...fromAnywhere() })),
  )
  assert.equal(
    allowed.reduce((sum, count) => sum + count),
    100,
  )
  assert.deepEqual(limitsIn(await read(url, bearer(tokens[0] ?? ''))).slice(0, 2), [100, 0])
})

test('calls without a valid credential are limited to 60 a minute by address; keys are not affected', async () => {
  const { key } = await api.addKey({ accountId: await api.addAccount(), rateTier: 'standard' })
  const url = await api.addProcess(at(ownMinute()))
  assert.equal(await countAllowed([url], 80, bearer('sk_sandbox_guess')), 60)
  assert.equal(await countAllowed([url], 20, {}), 0)
  assert.equal((await read(url, bearer(key))).status, 200)
})

/** Makes that many calls of a buyer at once, from the given address, and returns their statuses. */
const callAs = (url: string, secret: string, calls: number, action: 'public' | 'pay' | 'confirm', address = '') =>
  Promise.all(
    Array.from({ length: calls }, async () => {
      const response = await fetch(`${url}/v1/checkout-sessions/${secret.split('_secret_')[0]}/${action}`, {
        method: action === 'public' ? 'GET' : 'POST',
        headers: { ...bearer(secret), ...(address && { 'x-forwarded-for': address }) },
      })
      await response.arrayBuffer()
      return response.status
    }),
  )
const allowedOf = (statuses: number[]) => statuses.filter((status) => status !== 429).length

/** An API process behind a proxy, in a minute of its own. */
const behindProxy = () =>
  api.addProcess({ ...at(ownMinute()), config: { ...stack.services.config, trustedProxyHops: 1 } })

test('a read that needs no credential is counted by a key that works, and by address with any other', async () => {
  const { key } = await api.addKey({ accountId: await api.addAccount(), rateTier: 'standard' })
  const url = await api.addProcess(at(ownMinute()))
  const list = async (headers: Record<string, string>) => {
    const reply = await fetch(`${url}/v1/payment-methods`, { headers })
    await reply.arrayBuffer()
    return [reply.status, ...limitsIn(reply).slice(0, 2)]
  }
  assert.deepEqual(await list(bearer(key)), [200, 100, 99])
  assert.deepEqual(await list(bearer(key)), [200, 100, 98])
  assert.deepEqual(await list({}), [200, 60, 59])
  assert.deepEqual(await list(bearer(`${key.slice(0, -4)}0000`)), [200, 60, 58])
  const login = await fetch(`${url}/api/v1/auth/login/init`, { method: 'POST', headers: bearer(key) })
  await login.arrayBuffer()
  assert.deepEqual(limitsIn(login).slice(0, 2), [60, 57], 'a login is counted by address')
})

test('polls of waiting buyers are counted by client secret, so many behind one address lock no buyer out', async () => {
  const { merchant } = await api.addMerchant()
  const sessions = await Promise.all(Array.from({ length: 8 }, () => merchant.createCheckout()))
  const url = await behindProxy()
  for (const { client_secret } of sessions) {
    const polled = await callAs(url, client_secret, 20, 'public', '192.0.2.77')
    assert.deepEqual([...new Set(polled)], [200])
  }
  // The polls were not counted against the address.
  const [{ client_secret } = { client_secret: '' }] = sessions
  const headers = { ...bearer(client_secret), 'x-forwarded-for': '192.0.2.77' }
  const paid = await fetch(`${url}/v1/checkout-sessions/${client_secret.split('_secret_')[0]}/pay`, {
    method: 'POST',
    headers,
  })
  assert.equal(paid.status, 400)
  assert.deepEqual(limitsIn(paid).slice(0, 2), [60, 59])
})

test('the hosted pages of eight waiting buyers behind one address all load', async (t) => {
  const { merchant } = await api.addMerchant()
  const sessions = await Promise.all(Array.from({ length: 8 }, () => merchant.createCheckout()))
  const pages = await openPages({ ...stack, services: { ...stack.services, ...at(ownMinute()) } })
  t.after(pages.stop)
  for (const { checkout_url } of sessions) {
    const polls = Array.from({ length: 20 }, async () => {
      const page = await fetch(pages.addressOf(checkout_url), { headers: { 'x-forwarded-for': '192.0.2.78' } })
      await page.arrayBuffer()
      return page.status
    })
    assert.deepEqual([...new Set(await Promise.all(polls))], [200])
  }
})

test('one client secret has 60 polls a minute from all addresses together; other buyers are not affected', async () => {
  const { merchant } = await api.addMerchant()
  const [one, other] = [await merchant.createCheckout(), await merchant.createCheckout()]
  const url = await behindProxy()
  const first = await callAs(url, one.client_secret, 40, 'public', '192.0.2.1')
  const second = await callAs(url, one.client_secret, 40, 'public', '2001:db8::7')
  assert.equal(allowedOf([...first, ...second]), 60)
  assert.equal(allowedOf(await callAs(url, other.client_secret, 60, 'public', '192.0.2.1')), 60)
})

test('paying and confirming are counted by address over all sessions, so nobody can try out cards', async () => {
  const { merchant } = await api.addMerchant()
  const sessions = await Promise.all(Array.from({ length: 7 }, () => merchant.createCheckout()))
  const url = await behindProxy()
  const tried: number[] = []
  for (const { client_secret } of sessions) {
    tried.push(...(await callAs(url, client_secret, 6, 'pay', '192.0.2.9')))
    tried.push(...(await callAs(url, client_secret, 4, 'confirm', '192.0.2.9')))
  }
  assert.equal(allowedOf(tried), 60)
})

test('guesses of a client secret are counted by address, also for a session that exists', async () => {
  const { merchant } = await api.addMerchant()
  const { client_secret } = await merchant.createCheckout()
  const url = await behindProxy()
  const guesses = await callAs(url, `${client_secret}x`, 70, 'public', '192.0.2.10')
  assert.equal(allowedOf(guesses), 60)
  assert.ok(guesses.every((status) => status === 401 || status === 429))
  assert.equal(allowedOf(await callAs(url, client_secret, 1, 'public', '192.0.2.10')), 1)
})

test('unknown paths and methods have the rate headers, and are counted by address like guesses', async () => {
  const { key } = await api.addKey({ accountId: await api.addAccount(), rateTier: 'standard' })
  const url = await api.addProcess(at(ownMinute()))
  const reset = (minutes + 1) * 60
  const refusedCalls = [
    ['GET', '/v1/nothing', 404],
    ['DELETE', '/v1/payments', 405],
    ['OPTIONS', '/v1/payments', 405],
    ['GET', '/v1/payments', 401],
  ] as const
  for (const [index, [method, path, status]] of refusedCalls.entries()) {
    const response = await fetch(url + path, { method, headers: status === 401 ? {} : bearer(key) })
    await response.arrayBuffer()
    assert.deepEqual([response.status, ...limitsIn(response)], [status, 60, 59 - index, reset])
  }
  const more = await Promise.all(
    Array.from({ length: 66 }, async (_, index) => {
      const response = await fetch(`${url}/v1/nothing/${index}`)
      await response.arrayBuffer()
      return response
    }),
  )
  assert.equal(more.filter(({ status }) => status === 404).length, 56)
  const refused = more.find(({ status }) => status === 429)
  assert.equal(refused?.headers.get('retry-after'), '30')
  assert.equal((await fetch(`${url}/v1/nothing`, { headers: bearer(key) })).status, 429)
  const known = await read(url, bearer(key))
  assert.deepEqual([known.status, limitsIn(known)[1]], [200, 99])
})

test('a forged X-Forwarded-For changes nothing', async () => {
  const url = await api.addProcess(at(ownMinute()))
  let allowed = 0
  for (let count = 0; count < 70; count++) {
    const response = await read(url, { 'x-forwarded-for': `10.0.0.${count}`, 'x-real-ip': `10.0.1.${count}` })
    if (response.status !== 429) allowed += 1
  }
  assert.equal(allowed, 60)
})

test('behind a trusted proxy the address that the proxy saw counts, not what the caller wrote before it', async () => {
  const config = { ...stack.services.config, trustedProxyHops: 1 }
  const url = await api.addProcess({ ...at(ownMinute()), config })
  const allowed = async (address: (count: number) => string) => {
    let total = 0
    for (let count = 0; count < 65; count++) {
      if ((await read(url, { 'x-forwarded-for': address(count) })).status !== 429) total += 1
    }
    return total
  }
  assert.equal(await allowed((count) => `1.2.3.${count}, 10.9.9.9`), 60)
  assert.equal(await allowed((count) => `10.0.0.${count}`), 65)
  assert.equal((await read(url, { 'x-forwarded-for': 'x'.repeat(2_000) })).status, 401)
})

test('an IPv6 /64 is one caller, and so is an IPv4 address in all its written forms', async () => {
  const config = { ...stack.services.config, trustedProxyHops: 1 }
  const url = await api.addProcess({ ...at(ownMinute()), config })
  const allowed = async (calls: number, address: (count: number) => string) => {
    let total = 0
    for (let count = 0; count < calls; count++) {
      if ((await read(url, { 'x-forwarded-for': address(count) })).status !== 429) total += 1
    }
    return total
  }
  assert.equal(await allowed(65, (count) => `2001:db8:1:2:${count}::1`), 60)
  assert.equal(await allowed(2, (count) => `[2001:DB8:1:2:ffff::${count}]:443`), 0)
  assert.equal(await allowed(2, (count) => `2001:db8:1:2::${count}%${'z'.repeat(100)}`), 0)
  assert.equal(await allowed(30, (count) => `2001:db8:1:${count + 3}::1`), 30) // from other networks
  const forms = ['192.0.2.7', '::ffff:192.0.2.7', '::FFFF:c000:0207', '0:0:0:0:0:ffff:192.0.2.7', '192.0.2.7:5123']
  assert.equal(await allowed(65, (count) => forms[count % forms.length] ?? ''), 60)
  assert.equal(await allowed(5, () => '192.0.2.8'), 5)
})

test('paying with a client secret is counted by /64 too', async () => {
  const { merchant } = await api.addMerchant()
  const { client_secret } = await merchant.createCheckout()
  const url = await behindProxy()
  const one = (count: number) => callAs(url, client_secret, 1, 'pay', `2001:db8:5:6:7::${count}`)
  const statuses = await Promise.all(Array.from({ length: 70 }, (_, count) => one(count)))
  assert.equal(allowedOf(statuses.flat()), 60)
})
