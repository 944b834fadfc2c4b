import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { capabilities, type Capability, type CapabilityStatus } from '../../domain/platform/capability.ts'
import { cardCorridors, corridorKeys, methods, offeredAssets, offeredCorridors } from '../../domain/corridor.ts'
import { assetKeys } from '../../domain/checkout/crypto.ts'
import {
  assertAvailable,
  type MethodSettings,
  settingsInForce,
  type LiveMethods,
} from '../../domain/checkout/method-settings.ts'
import { Refusal } from '../../domain/refusal.ts'
import { assertError, assertFieldErrors } from '../support/api.ts'
import { type Merchant, sale } from '../support/merchant.ts'
import { changeAccount, addCapability } from '../support/rows.ts'
import { useApi, useStack } from '../support/use-stack.ts'

const stack = await useStack({ workers: false })
const api = await useApi(stack)

const path = '/v1/accounts/checkout/settings'
type Json = Record<string, unknown>
const put = (body: unknown, merchant: Merchant, headers = {}) => merchant.call('PUT', path, body, headers)
const assets = (value: boolean) => Object.fromEntries(assetKeys.map((asset) => [asset, value]))
const defaults = settingsInForce(null)

async function read(merchant: Merchant): Promise<Json> {
  const { status, body, text } = await merchant.call('GET', path)
  assert.equal(status, 200, text)
  return body
}

async function change(merchant: Merchant, body: Json): Promise<Json> {
  const { message, ...rest } = (await put(body, merchant)).body as Json
  assert.equal(typeof message, 'string', JSON.stringify(rest))
  return rest
}

test('by default every corridor is on except CRYPTO, which has every asset', async () => {
  const { merchant, accountId } = await api.addMerchant()
  const { message, ...rest } = await read(merchant)
  assert.equal(typeof message, 'string')
  const on = corridorKeys.filter((key) => key !== 'CRYPTO').map((key) => [key, { enabled: true }])
  assert.deepEqual(rest, {
    organization_id: accountId,
    enabled_payment_methods: { ...Object.fromEntries(on), CRYPTO: { enabled: false, currencies: assets(true) } },
    fee_preference: 'org_pays',
  })
})

test('a PUT answers the corridors that were sent, and replaces all that were set before', async () => {
  const { merchant, accountId: organization_id } = await api.addMerchant()
  const first = { NGN_CARD: { enabled: false }, CRYPTO: { enabled: true, currencies: { ETH_ETH: false } } }
  assert.deepEqual(await change(merchant, { enabled_payment_methods: first, fee_preference: 'customer_pays' }), {
    organization_id,
    enabled_payment_methods: first,
    fee_preference: 'customer_pays',
  })
  assert.deepEqual((await read(merchant))['enabled_payment_methods'], {
    ...defaults,
    NGN_CARD: { enabled: false },
    CRYPTO: {
      enabled: true,
      currencies: {
        ...assets(true),
        ETH_ETH: false,
      },
    },
  })
  const second = { MOMO_XOF: { enabled: false } }
  assert.deepEqual(await change(merchant, { enabled_payment_methods: second }), {
    organization_id,
    enabled_payment_methods: second,
    fee_preference: 'customer_pays',
  })
  assert.deepEqual((await read(merchant))['enabled_payment_methods'], { ...defaults, ...second })
  // A change of fee_preference leaves the methods as they are.
  assert.deepEqual(await change(merchant, { fee_preference: 'org_pays' }), {
    organization_id,
    enabled_payment_methods: {},
    fee_preference: 'org_pays',
  })
  assert.deepEqual((await read(merchant))['enabled_payment_methods'], { ...defaults, ...second })
  await change(merchant, { enabled_payment_methods: {} })
  assert.deepEqual((await read(merchant))['enabled_payment_methods'], defaults)
})

test('unknown fields of an entry are neither stored nor answered', async () => {
  const { merchant } = await api.addMerchant()
  const sent = { USD_CARD: { enabled: true, currencies: { ETH_ETH: true }, color: 'red' } }
  const { enabled_payment_methods: echoed } = await change(merchant, { enabled_payment_methods: sent })
  assert.deepEqual(echoed, { USD_CARD: { enabled: true } })
})

test('VALIDATION_ERROR: an empty body, an unknown corridor or asset, and an entry without enabled', async () => {
  const { merchant } = await api.addMerchant()
  assertFieldErrors(await put({}, merchant), { body: 'value_error.missing' })
  const errors = async (enabled_payment_methods: unknown, expected: Record<string, string>) =>
    assertFieldErrors(await put({ enabled_payment_methods }, merchant), expected)
  const field = 'enabled_payment_methods'
  await errors(
    { EUR_CARD: { enabled: true } },
    { [field]: 'value_error.format', [`${field}.EUR_CARD`]: 'value_error.format' },
  )
  await errors(
    { constructor: { enabled: true } },
    { [field]: 'value_error.format', [`${field}.constructor`]: 'value_error.format' },
  )
  await errors({ USD_CARD: {} }, { [`${field}.USD_CARD.enabled`]: 'value_error.missing' })
  await errors({ USD_CARD: { enabled: 'yes' } }, { [`${field}.USD_CARD.enabled`]: 'value_error.type' })
  await errors(
    { CRYPTO: { enabled: true, currencies: { DOGE: true } } },
    {
      [`${field}.CRYPTO.currencies`]: 'value_error.format',
      [`${field}.CRYPTO.currencies.DOGE`]: 'value_error.format',
    },
  )
  await errors([], { [field]: 'value_error.type' })
  assertFieldErrors(await put({ fee_preference: 'nobody' }, merchant), { fee_preference: 'value_error.enum' })
  assert.deepEqual((await read(merchant))['enabled_payment_methods'], defaults)
})

test('each environment has separate settings, and X-Account-Id sets those of a connected account', async () => {
  const { merchant, accountId } = await api.addMerchant()
  const live = await api.addKey({ accountId, environment: 'live' })
  await change(merchant, { fee_preference: 'customer_pays', enabled_payment_methods: { USD_CARD: { enabled: false } } })
  assert.equal((await read(live.merchant))['fee_preference'], 'org_pays')
  assert.deepEqual((await read(live.merchant))['enabled_payment_methods'], defaults)

  const connected = await api.addConnected(accountId)
  const reply = await put({ fee_preference: 'customer_pays' }, live.merchant, { 'x-account-id': connected })
  assert.equal(reply.body['organization_id'], connected)
  assert.equal(
    (await read((await api.addKey({ accountId: connected, environment: 'live' })).merchant))['fee_preference'],
    'customer_pays',
  )
  assert.equal((await read(live.merchant))['fee_preference'], 'org_pays')
  const foreign = await api.addAccount()
  assertError(await put({ fee_preference: 'org_pays' }, merchant, { 'x-account-id': foreign }), 404, 'NOT_FOUND')
})

test('two first changes at once both take effect', async () => {
  const { merchant } = await api.addMerchant()
  const enabled_payment_methods = { USD_CARD: { enabled: false } }
  await Promise.all([
    change(merchant, { enabled_payment_methods }),
    change(merchant, { fee_preference: 'customer_pays' }),
  ])
  const { enabled_payment_methods: methodsNow, fee_preference } = await read(merchant)
  assert.deepEqual(methodsNow, { ...defaults, ...enabled_payment_methods })
  assert.equal(fee_preference, 'customer_pays')
})

const publicOf = async (merchant: Merchant, body: Json) => {
  const { checkout_id, client_secret } = await merchant.createCheckout(body)
  const headers = { authorization: `Bearer ${client_secret}` }
  return (await merchant.call('GET', `/v1/checkout-sessions/${checkout_id}/public`, undefined, headers)).body
}

test('fee_preference applies to new sessions, and the sandbox offers methods that are off too', async () => {
  const { merchant } = await api.addMerchant()
  const earlier = await publicOf(merchant, sale)
  const off = Object.fromEntries(corridorKeys.map((key) => [key, { enabled: false }]))
  await change(merchant, { fee_preference: 'customer_pays', enabled_payment_methods: off })
  const now = await publicOf(merchant, { ...sale, customer: { email: 'ada@example.com' } })
  const offers = (view: Json) => view['payment_methods'] as Record<string, string>[]
  assert.deepEqual(
    offers(now)
      .filter(({ currency }) => currency === 'USD')
      .map(({ payment_method, total }) => [payment_method, total]),
    [
      ['USD_CARD', '26.03'],
      ['CRYPTO', '25.25'],
    ],
  )
  assert.deepEqual(
    offers(earlier).flatMap(({ currency, total }) => (currency === 'USD' ? [total] : [])),
    ['25.00', '25.00'],
  )
})

/** A live account that may take payments, with the status of some of its capabilities. */
async function liveMerchant(statuses: Partial<Record<Capability, CapabilityStatus>>) {
  const added = await api.addMerchant('live')
  await changeAccount(stack, added.accountId, { paymentsEnabled: true })
  for (const capability of capabilities) {
    const status = statuses[capability]
    if (status) await addCapability(stack, { accountId: added.accountId, environment: 'live' }, capability, status)
  }
  return added.merchant
}

const sell = (merchant: Merchant, body: Json = {}) =>
  merchant.call('POST', '/v1/checkout-sessions', { ...sale, ...body })

test('ACCOUNT_NOT_ACTIVATED: a live sale while no method is active, and a card saved while cards are not', async () => {
  assertError(await sell(await liveMerchant({})), 400, 'ACCOUNT_NOT_ACTIVATED')
  const merchant = await liveMerchant({ card_payments: 'pending', mobile_money_payments: 'active' })
  const { success_url } = sale
  const setup = await merchant.call('POST', '/v1/checkout-sessions', { setup: true, success_url })
  assertError(setup, 400, 'ACCOUNT_NOT_ACTIVATED')
})

test('ACCOUNT_PAYMENT_METHODS_RESTRICTED: a live sale whose methods are restricted or off', async () => {
  assertError(
    await sell(await liveMerchant({ card_payments: 'restricted' })),
    400,
    'ACCOUNT_PAYMENT_METHODS_RESTRICTED',
  )
  const merchant = await liveMerchant({ card_payments: 'active' })
  const cardsOff = { USD_CARD: { enabled: false }, NGN_CARD: { enabled: false } }
  await change(merchant, { enabled_payment_methods: cardsOff })
  const { success_url } = sale
  const setup = await merchant.call('POST', '/v1/checkout-sessions', { setup: true, success_url })
  assertError(setup, 400, 'ACCOUNT_PAYMENT_METHODS_RESTRICTED')
})

test('CHECKOUT_HAS_NO_PAYMENT_METHOD: a live sale with every method off, or with no live rail', async () => {
  const merchant = await liveMerchant({ card_payments: 'active' })
  assertError(await sell(merchant), 400, 'CHECKOUT_HAS_NO_PAYMENT_METHOD')
  const off = Object.fromEntries(corridorKeys.map((key) => [key, { enabled: false }]))
  const noAsset = { ...off, CRYPTO: { enabled: true, currencies: assets(false) } }
  for (const enabled_payment_methods of [off, noAsset]) {
    await change(merchant, { enabled_payment_methods })
    assertError(await sell(merchant), 400, 'CHECKOUT_HAS_NO_PAYMENT_METHOD')
  }
  assert.equal((await sell(merchant, { amount: '0' })).status, 201)
})

const settingsOf = fc.dictionary(
  fc.constantFrom(...corridorKeys),
  fc.record({ enabled: fc.boolean(), currencies: fc.dictionary(fc.constantFrom(...assetKeys), fc.boolean()) }),
) as fc.Arbitrary<MethodSettings>
const optionsOf = fc.option(
  fc.dictionary(
    fc.constantFrom(...methods),
    fc.record({ currencies: fc.subarray(['USD', 'NGN', 'KES', 'ETH_ETH', 'USDT_TRC20']) }),
  ),
)

test('live, a method is offered if settings, rails and payment_method_options all allow it', () => {
  const property = fc.property(
    fc.constantFrom(corridorKeys, cardCorridors),
    settingsOf,
    optionsOf,
    fc.subarray([...corridorKeys]),
    (suited, settings, options, served) => {
      const inForce = settingsInForce(settings)
      const wantedAssets = offeredAssets(options).filter((asset) => inForce.CRYPTO.currencies?.[asset])
      const wanted = offeredCorridors(options)
        .filter((key) => suited.includes(key))
        .filter((key) => inForce[key].enabled && served.includes(key))
        .filter((key) => key !== 'CRYPTO' || wantedAssets.length > 0)
      const standing: LiveMethods = { paymentsEnabled: true, settings, served, statusOf: () => 'active' }
      let left
      try {
        left = assertAvailable(suited, options, standing)
      } catch (error) {
        assert.ok(error instanceof Refusal)
        assert.deepEqual(wanted, [], error.code)
        return
      }
      assert.deepEqual(offeredCorridors(left), wanted)
      if (wanted.includes('CRYPTO')) assert.deepEqual(offeredAssets(left), wantedAssets)
    },
  )
  fc.assert(property, { numRuns: 500, seed: 20_261_121 })
})

test('CHECKOUT_RESTRICTION_LEAVES_NO_PAYMENT_METHOD: live, none of the requested methods is on', () => {
  const standing: LiveMethods = {
    paymentsEnabled: true,
    settings: null,
    served: corridorKeys,
    statusOf: () => 'active',
  }
  const refused = { name: 'Refusal', code: 'CHECKOUT_RESTRICTION_LEAVES_NO_PAYMENT_METHOD' }
  assert.throws(() => assertAvailable(corridorKeys, { crypto: {} }, standing), refused)
  assert.throws(() => assertAvailable(corridorKeys, {}, standing), refused)
  assert.throws(() => assertAvailable(cardCorridors, { mobile_money: {} }, standing), refused)
  const isCrypto = (key: string) => key === 'CRYPTO'
  const left = offeredCorridors(assertAvailable(corridorKeys, null, standing))
  assert.deepEqual(
    left,
    corridorKeys.filter((key) => !isCrypto(key)),
  )
})
