import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operations } from '../../api/operations.ts'
import { shortTime } from '../../client/output.ts'
import { tracedPaths } from '../../domain/sight/traced-paths.ts'
import { newId } from '../../domain/id.ts'
import { agendaResources, waitingOns } from '../../domain/sight/agenda.ts'
import { addOpenSessions } from '../support/plans.ts'
import { runClient, startFakeApi, testKey } from '../support/client.ts'
import { endow } from '../support/conversion.ts'
import { cards, type Merchant, sale, transferSale } from '../support/merchant.ts'
import { addDestination, lastFour } from '../support/payout.ts'
import { beginOnClock } from '../support/test-clock.ts'
import { until } from '../support/until.ts'
import { useApi, useStack } from '../support/use-stack.ts'

// What `npx steadypay timeline` and `agenda` print of the real service.
const stack = await useStack({ invariants: 'at the end' })
const api = await useApi(stack)

const runAs = ({ apiKey }: { apiKey: string }, ...args: string[]) =>
  runClient(stack.baseUrl, args, { STEADYPAY_API_KEY: apiKey })
const run = (...args: string[]) => runAs(stack.merchant, ...args)

async function linesOf(merchant: Merchant, ...args: string[]): Promise<string[]> {
  const { code, stdout, stderr } = await runAs(merchant, ...args)
  assert.equal(code, 0, stderr)
  return stdout.trimEnd().split('\n')
}

type Step = { at: string; step: string; status: string; actor: string; attempts: number } & {
  last_error: string | null
  details: object
}
type Timeline = { items: Step[]; as_of: string; waiting_since: string; wakes_at: string; expected_by: string }

async function timelineAt(path: string): Promise<Timeline> {
  return (await stack.merchant.call('GET', `/v1/${path}/timeline`)).body as unknown as Timeline
}

const distance = String.raw`(now|in \d+ (s|min|h|days)|\d+ (s|min|h|days) ago)`
/** A line that says a moment and how far it is from now. */
const lineOf = (label: string, moment: string) =>
  new RegExp(`^${label} +${shortTime(moment)} UTC \\(${distance}\\)$`, 'm')

test('timeline shows of a sale that was declined and then paid each step of each payment, one a line', async () => {
  const session = await stack.merchant.createCheckout()
  await stack.merchant.payByCard(session, cards.declined)
  await stack.merchant.payByCard(session)
  await stack.finished('checkout', session.checkout_id)
  const lines = await linesOf(stack.merchant, 'timeline', session.checkout_id)
  assert.deepEqual(lines.slice(0, 4), [session.checkout_id, 'Status       completed', 'Waiting on   nothing', ''])
  const { items } = await timelineAt(`checkout-sessions/${session.checkout_id}`)
  assert.equal(items.length, 6)
  assert.deepEqual(
    lines.slice(5).map((line) => line.split(/ {2,}/)),
    items.map(({ at, step, status, actor, attempts, last_error, details }) => {
      const asked = attempts > 0 ? String(attempts) : null
      return [shortTime(at), step, status, actor, asked, last_error, ...Object.values(details)].filter(Boolean)
    }),
  )
  assert.match(lines.join('\n'), / failed {2,}rail {2,}card_declined {2,}pay_\w{34}$/m)
})

test('timeline says whom an open session waits for, since when, until when, and how far that is', async () => {
  const { checkout_id } = await stack.merchant.createCheckout()
  const text = (await linesOf(stack.merchant, 'timeline', checkout_id)).join('\n')
  const { waiting_since, wakes_at, expected_by } = await timelineAt(`checkout-sessions/${checkout_id}`)
  assert.match(text, /^Waiting on {3}buyer$/m)
  assert.match(text, lineOf('Since', waiting_since))
  assert.match(text, lineOf('Wakes at', wakes_at))
  assert.match(text, lineOf('Expected by', expected_by))
})

test('timeline counts by the test clock of a session, wherever it stands', async () => {
  const { merchant, accountId, attach } = await beginOnClock(api, { frozen_time: '1999-12-31T23:00:00Z' })
  await attach({ account_id: accountId })
  const { checkout_id } = await merchant.createCheckout()
  const text = (await linesOf(merchant, 'timeline', checkout_id)).join('\n')
  assert.match(text, /^Expected by .* UTC \(in 60 min\)$/m)
})

test('timeline finds a payment and a payout, though their ids have one prefix', async () => {
  const payment = await stack.merchant.chargeByCard()
  const ofPayment = await linesOf(stack.merchant, 'timeline', payment)
  assert.deepEqual(ofPayment.slice(0, 2), [payment, 'Status       succeeded'])
  const { merchant, payout } = await addPayout()
  const ofPayout = await linesOf(merchant, 'timeline', payout)
  assert.equal(ofPayout[0], payout)
  assert.match(ofPayout.join('\n'), /^\S+ \S+ {2}requested {2,}\w+ {2,}merchant/m)
})

test('a key that may read payouts and no payments reads the timeline of a payout', async () => {
  const { merchant, accountId, payout } = await addPayout()
  await stack.sql(`update api_keys set scopes = '{payouts:read}' where account_id = ?`, [accountId])
  await until(async () => (await merchant.call('GET', '/v1/payments')).status === 403, 'the key may read no payments')
  assert.equal((await linesOf(merchant, 'timeline', payout))[0], payout)
  const { code, stderr } = await runAs(merchant, 'timeline', newId('pay', 0))
  assert.equal(code, 1)
  assert.match(stderr, /lacks the scope payments:read: .*, no such payout \(FORBIDDEN\)/)
})

/** A payout of a new organization, at a rail that does not answer. */
async function addPayout() {
  const { merchant, accountId } = await api.addMerchant()
  await endow(stack, accountId, '100000.00', 'NGN')
  const owner = { accountId, environment: 'sandbox' as const }
  const { id: payout } = await merchant.payOut(await addDestination(stack, owner, { ends: lastFour.neverAnswers }))
  return { merchant, accountId, payout }
}

test('timeline --json prints the answer of the API', async () => {
  const session = await stack.merchant.createCheckout()
  const { payment_id } = await stack.merchant.payByTransfer(await stack.merchant.createCheckout(transferSale))
  for (const [id, path] of [
    [session.checkout_id, 'checkout-sessions'],
    [payment_id, 'payments'],
  ]) {
    const { stdout } = await run('timeline', String(id), '--json')
    const { as_of: asOf, ...printed } = JSON.parse(stdout) as Timeline
    const { as_of: later, ...read } = await timelineAt(`${path}/${id}`)
    assert.deepEqual(printed, read)
    assert.ok(asOf <= later, 'the moment of the answer')
  }
})

test('every resource that has a timeline is found by the prefix of its id', () => {
  const paths = operations.flatMap(({ path }) => /^(\/v1\/.+)\/\{\w+\}\/timeline$/.exec(path)?.[1] ?? [])
  assert.deepEqual(Object.values(tracedPaths).flat().toSorted(), paths.toSorted())
})

test('an id that nothing has is refused as the API refuses it, and ends with 1', async () => {
  const session = await run('timeline', newId('chk', 0))
  assert.deepEqual([session.code, session.stdout], [1, ''])
  assert.match(session.stderr, /no such checkout session \(NOT_FOUND\)/)
  const payment = await run('timeline', newId('pay', 0), '--json')
  assert.deepEqual([payment.code, payment.stdout], [1, ''])
  const refusal = { detail: 'no such payment, no such payout', error_code: 'NOT_FOUND' }
  const { doc_url, ...rest } = JSON.parse(payment.stderr) as { doc_url: string }
  assert.deepEqual(rest, refusal)
  assert.match(doc_url, /\/docs\/errors#NOT_FOUND$/)
})

test('a wrong prefix or filter ends with 2 and names the right ones, without a call', async () => {
  const fake = await startFakeApi()
  const prefix = await runClient(fake.baseUrl, ['timeline', 'evt_1'])
  assert.equal(prefix.code, 2)
  for (const known of Object.keys(tracedPaths)) assert.ok(prefix.stderr.includes(`(${known}_…)`), known)
  const resource = await runClient(fake.baseUrl, ['agenda', '--resource', 'card'])
  assert.equal(resource.code, 2)
  assert.ok(resource.stderr.includes(agendaResources.join(', ')), resource.stderr)
  const whom = await runClient(fake.baseUrl, ['agenda', '--waiting-on', 'luck', '--json'])
  assert.equal(whom.code, 2)
  const { detail, error_code } = JSON.parse(whom.stderr) as { detail: string; error_code: string }
  assert.equal(error_code, 'USAGE')
  assert.ok(detail.includes(waitingOns.join(', ')), detail)
  assert.equal((await runClient(fake.baseUrl, ['agenda', '--limit', '1001'])).code, 2)
  assert.deepEqual(fake.calls, [])
  await fake.close()
})

test('without a key, or with one that is unknown, timeline and agenda say where the key is read', async () => {
  for (const args of [['timeline', newId('chk', 0)], ['agenda']]) {
    const unknown = await runAs({ apiKey: testKey }, ...args)
    assert.deepEqual([unknown.code, unknown.stdout], [1, ''])
    assert.match(unknown.stderr, /The API key of STEADYPAY_API_KEY was refused: .+ \(UNAUTHORIZED\)/)
    const none = await runAs({ apiKey: '' }, ...args) // a key of npm start is unknown to this service
    assert.deepEqual([none.code, none.stdout], [1, ''])
    assert.match(none.stderr, /\.local\/dev\.json/)
  }
})

type Page = {
  items: { resource_id: string; wakes_at: string }[]
  pagination: { next_cursor: string | null; has_more: boolean }
}

async function agendaOf(merchant: Merchant, query = ''): Promise<Page> {
  return (await merchant.call('GET', `/v1/agenda${query}`)).body as unknown as Page
}

test('agenda prints the next moment first, a line each, and takes a kind, a reason to wait and a moment', async () => {
  const { merchant } = await api.addMerchant()
  const [late, soon] = [
    await merchant.createCheckout({ ...sale, expires_in_minutes: 120 }),
    await merchant.createCheckout({ ...sale, expires_in_minutes: 60 }),
  ]
  const lines = await linesOf(merchant, 'agenda')
  assert.match(lines[0] ?? '', /^wakes at \(UTC\) +from now +resource +id +waiting on +reason$/)
  const told = (session: { expires_at: string; checkout_id: string }) => {
    const moment = shortTime(session.expires_at)
    return new RegExp(`^${moment} {2,}${distance} {2,}checkout_session {2}${session.checkout_id} {2}buyer +expiry$`)
  }
  assert.match(lines[1] ?? '', told(soon))
  assert.match(lines[2] ?? '', told(late))
  assert.equal(lines.length, 3)
  const filters = ['--resource', 'checkout_session', '--waiting-on', 'buyer', '--before', late.expires_at]
  assert.match((await linesOf(merchant, 'agenda', ...filters)).slice(1).join('\n'), told(soon))
  assert.deepEqual(await linesOf(merchant, 'agenda', '--resource', 'payout'), [
    'Nothing is awaited that matches these options.',
  ])
  assert.deepEqual((await linesOf(merchant, 'agenda', '--limit', '1')).slice(2), [
    'These are the first 1. There are more.',
  ])
})

test('agenda says plainly that nothing is awaited', async () => {
  const { merchant } = await api.addMerchant()
  assert.deepEqual(await linesOf(merchant, 'agenda'), ['Nothing is awaited.'])
  assert.deepEqual(JSON.parse((await runAs(merchant, 'agenda', '--json')).stdout), await agendaOf(merchant))
})

test('agenda goes on from page to page until it has as many items as asked for, and prints one document', async () => {
  const { merchant, accountId } = await api.addMerchant()
  await addOpenSessions(stack, accountId, { count: 105, pause: '1 minute' })
  const first = await agendaOf(merchant, '?limit=100')
  const second = await agendaOf(merchant, `?limit=100&cursor=${encodeURIComponent(first.pagination.next_cursor ?? '')}`)
  const all = { ...second, items: [...first.items, ...second.items] }
  assert.equal(all.items.length, 105)
  assert.deepEqual(JSON.parse((await runAs(merchant, 'agenda', '--limit', '200', '--json')).stdout), all)
  const part = JSON.parse((await runAs(merchant, 'agenda', '--limit', '103', '--json')).stdout) as Page
  assert.deepEqual([part.items, part.pagination.has_more], [all.items.slice(0, 103), true])
  const byDefault = await linesOf(merchant, 'agenda')
  assert.equal(byDefault.length, 52)
  assert.equal(byDefault.at(-1), 'These are the first 50. There are more.')
  await stack.sql('delete from checkouts where account_id = ?', [accountId])
  await stack.sql(`delete from row_counts where table_name = 'checkouts' and account_id = ?`, [accountId])
})

test('a moment that the API does not take is refused with its field', async () => {
  const { code, stderr } = await run('agenda', '--before', 'tomorrow')
  assert.equal(code, 1)
  assert.match(stderr, /\(VALIDATION_ERROR\)\n {4}before: /)
})
