import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { loadProviders } from '../../engine/config.ts'
import { checkProviders } from '../../rails/check-providers.ts'
import type { Finding } from '../../rails/provider-check.ts'
import { neededEvents } from '../../rails/stripe/check.ts'
import { ROOT } from '../../scripts/infra/paths.ts'
import { startPaystack } from '../doubles/paystack/paystack.ts'
import { startStripeDouble } from '../doubles/stripe/double.ts'
import { runClient } from '../support/client.ts'
import { use } from '../support/use.ts'

// The command as an operator runs it, against the doubles of both providers.
const marker = 'markedsecret'
const stripeKey = `sk_live_${marker}1`
const paystackKey = `sk_live_${marker}2`
const stripe = await use(
  () => startStripeDouble({ secretKeys: [stripeKey, `rk_live_${marker}3`] }),
  (double) => double.close(),
)
const paystack = await use(
  () => startPaystack(paystackKey),
  (double) => double.close(),
)

const publicUrl = 'https://pay.example.com'
const callbacks = `${publicUrl}/rails/stripe/callbacks`
const endpoint = {
  id: 'we_1',
  url: callbacks,
  status: 'enabled' as const,
  enabled_events: [...neededEvents] as string[],
}
const ofStripe = {
  STRIPE_SECRET_KEY: stripeKey,
  STRIPE_PUBLISHABLE_KEY: `pk_live_${marker}4`,
  STRIPE_WEBHOOK_SECRETS: `whsec_${marker}5`,
  STRIPE_API_URL: stripe.url,
}
const ofPaystack = { PAYSTACK_SECRET_KEY: paystackKey, PAYSTACK_API_URL: paystack.url }
const live = { DEPLOYMENT: 'live', PUBLIC_URL: publicUrl }

/** Runs the command, and checks that nothing secret is printed. */
async function run(env: NodeJS.ProcessEnv, ...more: string[]) {
  const result = await runClient('', ['rails', 'check', ...more], env)
  assert.doesNotMatch(result.stdout + result.stderr, new RegExp(marker))
  return result
}

/** What the command finds out, without its process. */
async function check(env: NodeJS.ProcessEnv) {
  const { providers, publicUrl: address } = loadProviders(env)
  const reports = await checkProviders(providers, address)
  assert.doesNotMatch(inspect(reports, { depth: 10 }), new RegExp(marker))
  const findings = reports.flatMap((report) => report.findings)
  const of = (name: string) => reports.find(({ provider }) => provider === name)
  return {
    failures: findings.filter(({ level }) => level === 'failed').length,
    stripe: of('stripe'),
    /** What was found out about something, at this level. */
    says: (level: Finding['level'], about: string) =>
      findings
        .filter((finding) => finding.level === level && finding.about === about)
        .map((finding) => finding.says)
        .join('\n'),
  }
}

function everythingWorks(): void {
  stripe.allowAll()
  paystack.worksAgain()
  Object.assign(stripe.account, { endpoints: [endpoint], chargesEnabled: true, payoutsEnabled: true, currentlyDue: [] })
}

test('both providers answer: the mode, the balances, the corridors, and no money moves', async () => {
  everythingWorks()
  const { code, stdout, stderr } = await run({ ...live, ...ofStripe, ...ofPaystack })
  assert.equal(code, 0, stdout + stderr)
  for (const line of [
    `Stripe: live mode, at ${stripe.url}`,
    'Stripe accepts the key',
    'balance: 1250.00 USD, and 30.00 USD pending',
    `Stripe calls ${callbacks} with every event that is needed`,
    'takes money by USD_CARD; pays out in no currency',
    `Paystack: live mode, at ${paystack.url}`,
    'balance: 10000000000.00 NGN; 0.00 GHS; 0.00 KES; 0.00 XOF',
    'can be opened at Wema Bank, Titan Paystack',
    'pays out in NGN, GHS, KES',
  ])
    assert.ok(stdout.includes(line), `${line} is missing in:\n${stdout}`)
  assert.match(stdout, /cannot see whether transfers need a one-time code/)
  assert.ok([...stripe.requests, ...paystack.calls].every(({ method }) => method === 'GET'))
})

test('a provider that is not configured is asked nothing; without any there is nothing to check', async () => {
  everythingWorks()
  const before = stripe.requests.length
  const { code: passed, stdout: shown } = await run({ ...live, ...ofPaystack }, '--json')
  const { ok, providers } = JSON.parse(shown) as { ok: boolean; providers: object[] }
  assert.deepEqual([passed, ok], [0, true])
  assert.deepEqual(providers[0], {
    provider: 'stripe',
    configured: false,
    mode: null,
    address: null,
    serves: [],
    findings: [],
    pays_out: [],
  })
  assert.equal(stripe.requests.length, before)
  const { code: failed, stdout } = await run({ ...live })
  assert.equal(failed, 1)
  assert.match(stdout, /No provider is configured/)
})

test('a wrong configuration is said by the names of its variables', async () => {
  for (const flags of [[], ['--json']]) {
    const { code, stderr } = await run({ ...ofStripe }, ...flags)
    assert.equal(code, 1)
    assert.match(stderr, /STRIPE_SECRET_KEY must be of the provider’s test mode/)
  }
  const half = await run({ ...live, STRIPE_SECRET_KEY: stripeKey })
  assert.match(half.stderr, /STRIPE_WEBHOOK_SECRETS is missing/)
})

test('a key that is refused, too many questions and a broken provider are said in plain words', async () => {
  everythingWorks()
  const other = await check({ ...live, ...ofStripe, STRIPE_SECRET_KEY: `sk_live_${marker}9` })
  assert.equal(other.failures, 1)
  assert.match(other.says('failed', 'key'), /does not accept the key \(401\)/)
  assert.equal(other.stripe?.findings.length, 1, 'one line says it, not one for each question')
  const wrong = await check({ ...live, ...ofPaystack, PAYSTACK_SECRET_KEY: `sk_live_${marker}9` })
  assert.match(wrong.says('failed', 'key'), /Paystack does not accept the key \(401\)/)
  for (const [status, words] of [
    [403, /does not let it read the balance \(403\)/],
    [429, /limits us \(429\)/],
    [500, /has an error of its own \(500\)/],
  ] as const) {
    everythingWorks()
    paystack.fails('GET /balance', status)
    const { failures, says } = await check({ ...live, ...ofPaystack })
    assert.match(says('failed', 'key') + says('warning', 'key'), words)
    assert.equal(failures, status === 403 ? 0 : 1)
  }
  everythingWorks()
  stripe.fail('GET /v1/payment_intents/search', 'limited')
  stripe.fail('GET /v1/refunds', 'failed')
  stripe.fail('GET /v1/disputes', 'page')
  const { failures, says } = await check({ ...live, ...ofStripe })
  assert.equal(failures, 3)
  assert.match(says('failed', 'search'), /limits us \(429\)/)
  assert.match(says('failed', 'lists'), /refunds cannot be read: Stripe has an error of its own \(500\)/)
  assert.match(says('failed', 'lists'), /disputes cannot be read/)
})

test('providers that hang end the check within seconds, and ones that are not there at once', async () => {
  everythingWorks()
  stripe.fail('GET /v1/balance', 'hanging')
  paystack.fails('GET /', 'hang', 6)
  const started = performance.now()
  const { code, stdout } = await run({ ...live, ...ofStripe, ...ofPaystack })
  assert.equal(code, 1)
  assert.match(stdout, /Stripe does not answer within 8 s/)
  assert.match(stdout, /Paystack does not answer within 8 s/)
  assert.ok(performance.now() - started < 30_000, 'both are asked at the same time')
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const nobody = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  server.close()
  const away = await run({ ...live, ...ofStripe, ...ofPaystack, STRIPE_API_URL: nobody, PAYSTACK_API_URL: nobody })
  assert.match(away.stdout, /Stripe cannot be reached/)
  assert.match(away.stdout, /Paystack cannot be reached/)
})

test('a restricted key: what it may not read is said, and what it may write cannot be seen', async () => {
  everythingWorks()
  stripe.forbid('GET /v1/account', 'GET /v1/webhook_endpoints')
  const key = { STRIPE_SECRET_KEY: `rk_live_${marker}3` }
  const { failures, says } = await check({ ...live, ...ofStripe, ...key })
  assert.equal(failures, 0, 'what cannot be seen is no failure')
  assert.match(says('warning', 'account'), /cannot see whether charges are enabled: .*403/)
  assert.match(says('warning', 'callbacks'), new RegExp(`cannot see the endpoints.*${callbacks}`))
  assert.match(says('warning', 'key'), /may write cannot be seen/)
  stripe.forbid('GET /v1/charges')
  assert.match((await check({ ...live, ...ofStripe, ...key })).says('failed', 'lists'), /charges cannot be read/)
})

test('an account that may not charge, or that Stripe wants more of', async () => {
  everythingWorks()
  Object.assign(stripe.account, { chargesEnabled: false, disabledReason: 'requirements.past_due' })
  const off = await check({ ...live, ...ofStripe })
  assert.match(off.says('failed', 'account'), /charges are not enabled \(requirements\.past_due\)/)
  everythingWorks()
  stripe.account.payoutsEnabled = false
  assert.match(
    (await check({ ...live, ...ofStripe })).says('warning', 'account'),
    /payouts to your bank account are not/,
  )
  everythingWorks()
  stripe.account.currentlyDue = ['external_account']
  assert.match((await check({ ...live, ...ofStripe })).says('warning', 'account'), /1 more answers/)
})

test('an endpoint for callbacks that is missing, disabled, deaf to an event, or there twice', async () => {
  const says = async (endpoints: (typeof stripe.account)['endpoints']) => {
    everythingWorks()
    stripe.account.endpoints = endpoints
    const { says: found } = await check({ ...live, ...ofStripe })
    return found('failed', 'callbacks') + found('warning', 'callbacks') + found('ok', 'callbacks')
  }
  const elsewhere = { ...endpoint, url: 'https://other.example.com/rails/stripe/callbacks' }
  assert.match(await says([elsewhere]), /no endpoint of Stripe calls/)
  assert.match(await says([{ ...endpoint, status: 'disabled' }]), /is disabled/)
  const deaf = { ...endpoint, enabled_events: neededEvents.filter((event) => event !== 'refund.failed') }
  assert.match(await says([deaf]), /lacks refund\.failed$/)
  assert.match(await says([endpoint, { ...endpoint, id: 'we_2' }]), /2 endpoints call/)
  assert.match(await says([{ ...endpoint, enabled_events: ['*'] }]), /every event that is needed/)
})

test('Paystack: transfers that wait for a code, no bank for accounts, a currency that is not switched on', async () => {
  everythingWorks()
  paystack.book.currencies = ['GHS']
  paystack.book.banks = []
  paystack.book.transfers.set('pay_otp', {
    id: 1n,
    reference: 'pay_otp',
    transfer_code: 'TRF_1',
    status: 'otp',
    amount: 100n,
    currency: 'NGN',
    recipient: 'RCP_1',
    reason: '',
    createdAt: Date.now(),
    executions: 0,
  })
  const { failures, says } = await check({ ...live, ...ofPaystack, PUBLIC_URL: 'http://127.0.0.1:3000' })
  assert.equal(failures, 1)
  assert.match(says('failed', 'payouts'), /1 transfers wait for a one-time code/)
  assert.match(says('warning', 'virtual accounts'), /names no bank/)
  assert.match(says('warning', 'corridors'), /no balance for MOMO_KES, MOMO_XOF/)
  assert.match(says('warning', 'address'), /set PUBLIC_URL/)
})

test('the guide names every event that the check wants', () => {
  const guide = readFileSync(join(ROOT, 'docs/guides/stripe.md'), 'utf8')
  for (const event of neededEvents) assert.ok(guide.includes(`\`${event}\``), event)
})
