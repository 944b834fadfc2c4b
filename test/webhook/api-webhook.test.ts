import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError, assertFieldErrors } from '../support/api.ts'
import { createMerchant } from '../support/merchant.ts'
import { until } from '../support/until.ts'
import { useApi, useReceiver, useStack } from '../support/use-stack.ts'

const stack = await useStack()
const api = await useApi(stack)
const receiver = await useReceiver()

const configuration = '/api/v1/notifications/webhooks/configuration'
const endpoint = '/api/v1/notifications/webhooks/endpoint'
const testPath = '/api/v1/notifications/webhooks/test'
const url = 'https://example.com/hooks'

test('the configuration is empty at first, then as it was set, and never shows the secret', async () => {
  const { merchant } = await api.addMerchant()
  const read = async () => (await merchant.call('GET', endpoint)).body
  assert.deepEqual(await read(), { success: true, webhook_url: null, has_secret: false, is_active: false })
  const saved = await merchant.call('PUT', configuration, { webhook_url: url, webhook_secret: 'marked-secret' })
  assert.equal(saved.status, 200)
  const { message, ...state } = saved.body as Record<string, unknown>
  assert.equal(typeof message, 'string')
  assert.deepEqual(state, { success: true, webhook_url: url, has_secret: true, is_active: true })
  assert.deepEqual(await read(), state)
  assert.ok(!saved.text.includes('marked-secret'))
  const [{ dump } = { dump: '' }] = await stack.sql<{ dump: string }>(
    'select json_agg(e)::text as dump from webhook_endpoints e',
  )
  assert.ok(!dump.includes('marked-secret') && !dump.includes(Buffer.from('marked-secret').toString('base64')))
})

test('setting the URL again keeps the secret; null switches delivery off and keeps it too', async () => {
  const { accountId, merchant } = await api.addMerchant()
  const put = async (body: unknown) => (await merchant.call('PUT', configuration, body)).body
  assert.equal((await put({ webhook_url: url }))['has_secret'], false)
  await put({ webhook_url: url, webhook_secret: 'a-first-secret' })
  assert.equal((await put({ webhook_url: `${url}/2` }))['has_secret'], true)
  const off = await put({ webhook_url: null })
  assert.deepEqual([off['webhook_url'], off['has_secret'], off['is_active']], [null, true, false])
  const on = await put({ webhook_url: url })
  assert.deepEqual([on['webhook_url'], on['has_secret'], on['is_active']], [url, true, true])
  const [row] = await stack.sql<{ count: string }>('select count(*) from webhook_endpoints where account_id = ?', [
    accountId,
  ])
  assert.equal(row?.count, '1')
})

test('a secret has 8 to 64 characters', async () => {
  for (const webhook_secret of ['1234567', 's'.repeat(65), '']) {
    const reply = await stack.merchant.call('PUT', configuration, { webhook_url: url, webhook_secret })
    assertFieldErrors(reply, { webhook_secret: 'value_error.range' })
  }
  for (const webhook_secret of [12345678, true, {}]) {
    const reply = await stack.merchant.call('PUT', configuration, { webhook_url: url, webhook_secret })
    assertFieldErrors(reply, { webhook_secret: 'value_error.type' })
  }
  for (const webhook_secret of ['12345678', 's'.repeat(64)]) {
    const reply = await stack.merchant.call('PUT', configuration, { webhook_url: url, webhook_secret })
    assert.equal(reply.status, 200)
  }
})

const hosts = [
  'localhost',
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0x7f000001',
  '0.0.0.0',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '[::1]',
  '[::]',
  '[fe80::1]',
  '[fc00::1]',
  '[::ffff:10.0.0.1]',
  '[64:ff9b::a00:1]',
  '[2002:a00:1::]',
  'foo.localhost',
]

test('the URL must be public HTTPS: no other scheme, no user, no private or special address', async () => {
  const strict = await api.addProcess({ config: { ...stack.services.config, allowLoopbackWebhooks: false } })
  const { key } = await api.addMerchant()
  const merchant = createMerchant(strict, key)
  const schemes = [
    'http://example.com',
    'ftp://example.com',
    'javascript:alert(1)',
    'file:///etc/passwd',
    '//example.com',
    'x',
    '',
  ]
  const users = [
    'https://user@example.com',
    'https://user:password@example.com',
    'https://@',
    'https://',
    'https://exa mple.com',
  ]
  for (const webhook_url of [...schemes, ...users, ...hosts.map((host) => `https://${host}/hooks`)]) {
    const reply = await merchant.call('PUT', configuration, { webhook_url })
    const [error] = assertError(reply, 400, 'VALIDATION_ERROR')
    assert.equal(error?.field, 'webhook_url', webhook_url)
    assert.ok(!reply.text.includes('password'))
  }
  assert.equal(
    (await merchant.call('PUT', configuration, { webhook_url: 'https://example.com:8443/a?b=c' })).status,
    200,
  )
  assertFieldErrors(
    await merchant.call('PUT', configuration, { webhook_url: `https://example.com/${'a'.repeat(2048)}` }),
    {
      webhook_url: 'value_error.range',
    },
  )
})

test('CONFLICT: a test event while no webhook is configured, or while it is switched off', async () => {
  const { merchant } = await api.addMerchant()
  assertError(await merchant.call('POST', testPath), 409, 'CONFLICT')
  await merchant.call('PUT', configuration, { webhook_url: url })
  await merchant.call('PUT', configuration, { webhook_url: null })
  assertError(await merchant.call('POST', testPath), 409, 'CONFLICT')
})

test('the test event is collection.succeeded, evt_test_webhook, with data.test and a number for amount', async () => {
  await stack.merchant.setWebhook(receiver.url)
  for (let times = 1; times <= 2; times++) {
    const { status, body } = await stack.merchant.call('POST', testPath)
    assert.equal(status, 200)
    assert.equal(body['success'], true)
    await until(() => receiver.received.length === times, 'the test event has arrived')
  }
  for (const { event, headers } of receiver.received) {
    assert.equal(event.id, 'evt_test_webhook')
    assert.equal(event.type, 'collection.succeeded')
    assert.equal(event.data['test'], true)
    assert.equal(event.data['status'], 'success')
    assert.equal(typeof event.data['amount'], 'number')
    assert.equal(headers['x-service-event-id'], 'evt_test_webhook')
    assert.match(String(headers['x-service-signature']), /^[0-9a-f]{64}$/)
  }
  const [first, second] = receiver.received.map(({ headers }) => Number(headers['x-service-sequence']))
  assert.ok((first ?? 0) < (second ?? 0))
})
