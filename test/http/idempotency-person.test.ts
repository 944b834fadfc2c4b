import assert from 'node:assert/strict'
import { test } from 'node:test'
import { identifyCall } from '../../api/http/idempotency.ts'
import { assertError, bearer, fromAnywhere } from '../support/api.ts'
import { assertReplay, keyOf } from '../support/idempotency.ts'
import { totpAt } from '../support/login.ts'
import { buyer, card, cards } from '../support/merchant.ts'
import { countRows } from '../support/rows.ts'
import { addInvitation } from '../support/team.ts'
import { useApi, useStack } from '../support/use-stack.ts'

// A credential that was made for one person: an idempotency key that comes with it is theirs.
const stack = await useStack({ invariants: 'at the end' })
const api = await useApi(stack)
const choice = { payment_method: 'USD_CARD', card: card(cards.success), customer_details: buyer }

test('another invited person with the same key gets nothing of the first one', async () => {
  const { accountId } = await api.addMerchant()
  const accept = ({ token }: { token: string }) => {
    const body = { full_name: 'Ada Obi', password: 'a-long-password' }
    return stack.merchant.call('POST', '/v1/invitation/accept', body, { ...bearer(token), ...keyOf('1') })
  }
  const [one, two] = [await addInvitation(stack, { accountId }), await addInvitation(stack, { accountId })]
  const [first, second] = [await accept(one), await accept(two)]
  assert.deepEqual([first.status, second.status], [200, 200], second.text)
  assert.notEqual(second.body['secret'], first.body['secret'])
  assert.ok(decodeURIComponent(String(second.body['otpauth_uri'])).includes(two.email))
  assertReplay(first, await accept(one))
})

test('an invited person gets a lost answer again by its key, and nothing else by the used token', async () => {
  const { accountId } = await api.addMerchant()
  const { id, token } = await addInvitation(stack, { accountId })
  const call = (method: string, path: string, body?: object, key?: string) =>
    stack.merchant.call(method, path, body, { ...bearer(token), ...(key ? keyOf(key) : fromAnywhere()) })
  const chosen = { full_name: 'Ada Obi', password: 'a-long-password' }
  const accepted = await call('POST', '/v1/invitation/accept', chosen, '1')
  const code = { code: totpAt(String(accepted.body['secret']), Date.now()) }
  const first = await call('POST', '/v1/invitation/confirm', code, '2')
  assert.equal(first.status, 200, first.text)
  assertReplay(first, await call('POST', '/v1/invitation/confirm', code, '2'))
  const users = () => countRows(stack, 'users where account_id = ?', [accountId])
  assert.equal(await users(), 1)
  for (const key of [undefined, '3'])
    assertError(await call('POST', '/v1/invitation/confirm', code, key), 401, 'UNAUTHORIZED')
  assertError(await call('POST', '/v1/invitation/confirm', { code: 5 }), 401, 'UNAUTHORIZED')
  assertError(await call('POST', '/v1/invitation/accept', chosen, '1'), 401, 'UNAUTHORIZED')
  assertError(await call('POST', '/v1/invitation/accept', chosen), 401, 'UNAUTHORIZED')
  assertError(await call('GET', '/v1/invitation'), 401, 'UNAUTHORIZED')
  const wrong = { ...bearer(`${token.slice(0, -1)}u`), ...keyOf('2') }
  assertError(await stack.merchant.call('POST', '/v1/invitation/confirm', code, wrong), 401, 'UNAUTHORIZED')
  assert.equal(await users(), 1)
  await stack.sql(`update team_invitations set ended_at = now() - interval '24 hours' where id = ?`, [id])
  assertError(await call('POST', '/v1/invitation/confirm', code, '2'), 401, 'UNAUTHORIZED')
})

test('another onboarding link of the account with the same key gets nothing of the first one', async () => {
  const platform = await api.addMerchant()
  const account = await api.addConnected(platform.accountId)
  const open = async () => {
    const body = { return_url: 'https://example.com/done', refresh_url: 'https://example.com/new' }
    const path = `/v1/accounts/${account}/onboarding-link`
    const { text, body: link } = await platform.merchant.call('POST', path, body)
    assert.ok(link['url'], text)
    return String(link['url']).split('/').at(-1) ?? ''
  }
  const edit = (token: string) => {
    const body = { business_profile: { name: 'Ada’s shop' } }
    return stack.merchant.call('PATCH', `/v1/accounts/${account}`, body, { ...bearer(token), ...keyOf('1') })
  }
  const [one, two] = [await open(), await open()]
  const first = await edit(one)
  assert.equal(first.status, 200, first.text)
  const second = await edit(two)
  assert.deepEqual([second.status, second.headers.get('idempotent-replayed')], [200, null], second.text)
  assertReplay(first, await edit(one))
})

test('NOT_FOUND: the client secret of another session opens no stored answer', async () => {
  const [mine, other] = [await stack.merchant.createCheckout(), await stack.merchant.createCheckout()]
  const pay = ({ client_secret: secret }: typeof mine) => {
    const headers = { ...keyOf('1'), ...bearer(secret) }
    return stack.merchant.call('POST', `/v1/checkout-sessions/${mine.checkout_id}/pay`, choice, headers)
  }
  const chosen = await pay(mine)
  assert.equal(chosen.status, 200, chosen.text)
  assertError(await pay(other), 404, 'NOT_FOUND')
  assertReplay(chosen, await pay(mine))
})

test('a key with an API key or a client secret is stored as by earlier releases', async () => {
  const session = await stack.merchant.createCheckout()
  const path = `/v1/checkout-sessions/${session.checkout_id}`
  await stack.merchant.call('POST', `${path}/pay`, choice, { ...keyOf('2'), ...bearer(session.client_secret) })
  await stack.merchant.call('POST', `${path}/cancel`, {}, keyOf('2'))
  for (const action of ['pay', 'cancel']) {
    const scope = [stack.organizationId, 'sandbox', 'post', `${path}/${action}`]
    const key = { key: '2', field: 'Idempotency-Key' as const }
    const { id } = identifyCall(stack.services.config.keyPepper, scope, key, Buffer.alloc(0), 0)
    assert.equal(await countRows(stack, 'idempotency_records where id = ?', [id]), 1, action)
  }
})
