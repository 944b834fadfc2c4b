import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { createLine, NotSent, type RailCall } from '../../rails/line.ts'

const restsMs = 200

/** A line to a provider that answers as it is told, and what it has been asked. */
function startLine() {
  const calls: RailCall[] = []
  const line = createLine('stripe', { note: (call) => void calls.push(call), restsMs })
  const provider = { answers: async () => ({ status: 200 }), asked: 0 }
  const send = () =>
    line.send('GET /v1/thing', () => {
      provider.asked += 1
      return provider.answers()
    })
  return { line, calls, provider, send, fail: () => send().catch(() => undefined) }
}

const failures: [string, () => Promise<{ status: number }>][] = [
  ['does not answer', () => Promise.reject(new Error('no answer'))],
  ['answers 500', async () => ({ status: 500 })],
  ['answers 503', async () => ({ status: 503 })],
  ['limits us', async () => ({ status: 429 })],
]

for (const [what, answers] of failures) {
  test(`a provider that ${what} five times in a row is left alone, and tried once after its rest`, async () => {
    const { line, provider, send, fail } = startLine()
    Object.assign(provider, { answers })
    for (let n = 0; n < 4; n++) await fail()
    assert.equal(line.isDown(), false)
    await fail()
    assert.equal(line.isDown(), true)
    for (let n = 0; n < 20; n++) await assert.rejects(send())
    assert.equal(provider.asked, 5, 'nothing is sent while it is down')
    await setTimeout(restsMs + 50)
    assert.equal(line.isDown(), false, 'somebody has to try')
    await Promise.allSettled(Array.from({ length: 10 }, () => send()))
    assert.equal(provider.asked, 6)
    assert.equal(line.isDown(), true)
    await setTimeout(restsMs + 50)
    provider.answers = async () => ({ status: 200 })
    await send()
    assert.equal(line.isDown(), false)
    await Promise.all(Array.from({ length: 10 }, () => send()))
  })
}

test('while one request tries a provider, it is down for all others, which do not wait for that answer', async () => {
  const { line, calls, provider, send, fail } = startLine()
  provider.answers = () => Promise.reject(new Error('no answer'))
  for (let n = 0; n < 5; n++) await fail()
  await setTimeout(restsMs + 50)
  assert.equal(line.isDown(), false, 'somebody has to try')
  const answer = Promise.withResolvers<{ status: number }>()
  provider.answers = () => answer.promise
  const trying = send()
  assert.equal(line.isDown(), true)
  for (let n = 0; n < 3; n++) await assert.rejects(send(), NotSent)
  assert.deepEqual([provider.asked, calls.at(-1)?.status], [6, 'not sent'])
  answer.resolve({ status: 200 })
  await trying
  assert.equal(line.isDown(), false)
  assert.equal((await send()).status, 200)
})

test('answers about an order are no failures: a declined, refused or unknown one leaves the line open', async () => {
  const { line, provider, send } = startLine()
  for (const status of [200, 302, 400, 401, 402, 403, 404, 409, 422])
    for (let n = 0; n < 6; n++) {
      provider.answers = async () => ({ status })
      assert.equal((await send()).status, status)
    }
  assert.equal(line.isDown(), false)
})

test('failures between answers do not add up', async () => {
  const { line, provider, send, fail } = startLine()
  for (let n = 0; n < 30; n++) {
    provider.answers = n % 5 === 4 ? async () => ({ status: 200 }) : async () => ({ status: 500 })
    await (n % 5 === 4 ? send() : fail())
  }
  assert.equal(line.isDown(), false)
})

test('each request is noted with how it went, also one that was not sent', async () => {
  const { calls, provider, fail } = startLine()
  await fail()
  provider.answers = () => Promise.reject(new Error('no answer'))
  for (let n = 0; n < 6; n++) await fail()
  assert.deepEqual(
    calls.map(({ provider: name, call, status }) => [name, call, status]),
    [200, ...Array.from({ length: 5 }, () => 'no answer'), 'not sent'].map((status) => [
      'stripe',
      'GET /v1/thing',
      status,
    ]),
  )
})
