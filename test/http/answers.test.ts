import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { globSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { ROOT } from '../../scripts/infra/paths.ts'
import { type Answer, answerProblem, takeProblems } from '../support/answers.ts'
import { createMerchant } from '../support/merchant.ts'
import { useStack } from '../support/use-stack.ts'

// The test run compares every answer with its description in OpenAPI, and fails when one differs.

const stack = await useStack({ workers: false })

const product = { name: 'Plan', price_type: 'fixed', amount: '5.00', currency: 'USD' }
const headers: Record<string, string> = {
  'content-type': 'application/json; charset=utf-8',
  'x-request-id': 'a-request',
  'x-api-version': '2026-11-20',
}
const answer = (body: unknown, more: Partial<Answer> = {}, over: Record<string, string | null> = {}): Answer => ({
  status: 200,
  text: typeof body === 'string' ? body : JSON.stringify(body),
  header: (name) => ({ ...headers, ...over })[name.toLowerCase()] ?? null,
  ...more,
})
const refused = (error_code: string) => ({ detail: 'no', error_code })

test('an answer as described is accepted, and one that differs in anything is refused', async () => {
  const { text, body } = await stack.merchant.call('POST', '/v1/products', product)
  const path = `/v1/products/${String(body['product_id'])}`
  const error = (shown: Answer) => answerProblem('GET', `${path}?a=b`, shown)
  const { name: _left, ...without } = body
  assert.equal(error(answer(text)), null)
  assert.match(String(error(answer(without))), /required/)
  assert.match(String(error(answer({ ...body, secret: 'x' }))), /additional/)
  assert.match(
    String(error(answer({ ...body, recurring: { interval: 'month', interval_count: 1, more: 1 } }))),
    /recurr/,
  )
  assert.match(String(error(answer({ ...body, metadata: '{}' }))), /metadata/)
  assert.match(String(error(answer({ ...body, created_at: 'yesterday' }))), /created_at/)
  assert.match(String(error(answer(text, { status: 202 }))), /not documented/)
  assert.match(String(error(answer('no JSON'))), /no JSON/)
  assert.match(String(error(answer(text, {}, { 'content-type': 'text/html' }))), /no JSON: text\/html/)
  assert.match(String(error(answer(text, {}, { 'x-request-id': null }))), /X-Request-Id is null/)
  assert.match(String(error(answer(text, {}, { 'x-ratelimit-remaining': 'many' }))), /X-RateLimit-Remaining is many/)
})

test('a refusal must be the error object, with a code that is documented for its operation', () => {
  const error = (status: number, body: unknown, over = {}) =>
    answerProblem('POST', '/v1/products', answer(body, { status }, over))
  assert.equal(error(403, refused('FORBIDDEN')), null)
  assert.match(String(error(403, refused('CHARGE_NOT_REFUNDABLE'))), /not documented for it/)
  assert.match(String(error(403, { error: 'no' })), /error_code/)
  assert.match(String(error(403, { ...refused('FORBIDDEN'), stack: 'at …' })), /additional/)
  assert.match(String(error(418, refused('TEAPOT'))), /not documented/)
  assert.match(String(error(429, refused('TOO_MANY_REQUESTS'))), /Retry-After is null/)
  assert.equal(error(429, refused('TOO_MANY_REQUESTS'), { 'retry-after': '3' }), null)
})

test('an error of an enumeration must name the allowed values', () => {
  const error = (message: string) => {
    const errors = [{ field: 'currency', message, type: 'value_error.enum' }]
    return answerProblem('POST', '/v1/products', answer({ ...refused('VALIDATION_ERROR'), errors }, { status: 400 }))
  }
  assert.equal(error('must be one of fixed, free, custom'), null)
  assert.match(String(error('is no currency that is paid out')), /names no allowed values: .*paid out/)
})

test('a path without an operation must answer with the error object; pages are not checked', () => {
  const error = (path: string, shown: Answer) => answerProblem('GET', path, shown)
  assert.equal(error('/v1/nothing', answer(refused('NOT_FOUND'), { status: 404 })), null)
  assert.match(String(error('/v1/nothing', answer('<html>', { status: 404 }))), /no such operation/)
  assert.match(String(error('/api/v1/nothing', answer({}))), /no such operation/)
  assert.equal(error('/dashboard', answer('<html>')), null)
})

test('a test server answers 500 in place of a wrong answer, and remembers it', async () => {
  const { body } = await stack.merchant.call('POST', '/v1/products', product)
  const path = `/v1/products/${String(body['product_id'])}`
  await stack.sql(`update products set metadata = '{"seats": 4}' where id = ?`, [body['product_id']])
  const { status, text } = await stack.merchant.call('GET', path)
  assert.equal(status, 500)
  assert.match(text, /metadata/)
  // An answer that no test has checked is remembered too.
  await fetch(stack.baseUrl + path, { headers: { authorization: `Bearer ${stack.merchant.apiKey}` } })
  const errors = takeProblems()
  assert.equal(errors.length, 2)
  for (const error of errors) assert.match(error, /GET \/v1\/products\/\{product_id\} answers 200: .*metadata/)
})

test('a test file fails when one of its servers sent a wrong answer, even if no test read that answer', () => {
  const script = `
    import Koa from 'koa'
    import { checked } from './test/support/answers.ts'
    const app = new Koa()
    app.use(checked)
    app.use((ctx) => { ctx.body = { items: [] } })
    const server = app.listen(0, '127.0.0.1', async () => {
      await fetch('http://127.0.0.1:' + server.address().port + process.argv[1])
      server.closeAllConnections()
      server.close()
    })`
  const run = (path: string) =>
    spawnSync(process.execPath, ['--input-type=module', '-e', script, path], { cwd: ROOT, encoding: 'utf8' })
  const wrong = run('/v1/products')
  assert.equal(wrong.status, 1, wrong.stderr)
  assert.match(wrong.stderr, /AN ANSWER IS NOT AS IT IS DESCRIBED: GET \/v1\/products answers 200/)
  const right = run('/elsewhere')
  assert.equal(right.status, 0, right.stderr)
})

test('answers of a deployed process are checked by the test’s client', async () => {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'application/json').end('{"items":[]}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  try {
    const merchant = createMerchant(`http://127.0.0.1:${port}`, 'a-key')
    await assert.rejects(merchant.call('GET', '/v1/products'), /GET \/v1\/products answers 200/)
    const older = createMerchant(`http://127.0.0.1:${port}`, 'a-key', { older: true })
    assert.equal((await older.call('GET', '/v1/products')).status, 200)
  } finally {
    server.closeAllConnections()
    server.close()
  }
})

test('no test starts an API whose answers are not checked', () => {
  // One is killed before it can answer; the others make the check and test it.
  const known = ['test/proof/api-that-exits.ts', 'test/support/answers.ts', 'test/http/answers.test.ts']
  const files = globSync('test/**/*.ts', { cwd: ROOT }).filter((file) => !known.includes(file))
  const unchecked = files.filter((file) => /\bcreateApp\(/.test(readFileSync(join(ROOT, file), 'utf8')))
  assert.deepEqual(unchecked, [])
})
