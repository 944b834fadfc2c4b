import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Compile } from 'typebox/compile'
import { processId } from '../../domain/processes.ts'
import { paidOutCurrencies } from '../../domain/payout/routing.ts'
import { nextRunAt, type ScheduleTiming } from '../../domain/payout/schedule.ts'
import { scopes } from '../../domain/access/scope.ts'
import { BalanceSettings } from '../../schemas/payout/schedule.ts'
import { assertError, assertFieldErrors } from '../support/api.ts'
import { curlsIn } from '../support/guide.ts'
import { withHeldRows } from '../support/held-rows.ts'
import { connectLiveRails } from '../support/live.ts'
import type { Merchant, Reply } from '../support/merchant.ts'
import { until } from '../support/until.ts'
import { useApi, useStack } from '../support/use-stack.ts'

// How merchants set and read schedules. How these run is tested in test/payout/payout-schedule.process.test.ts.
let now = Date.parse('2028-02-10T12:00:00Z')
const stack = await useStack({ workers: false, clock: { now: async () => now }, invariants: 'after each test' })
const api = await useApi(stack)

const path = '/v1/balance_settings'
type Entry = Record<string, unknown>
const send = (schedule_by_currency: unknown, merchant: Merchant = stack.merchant, headers = {}): Promise<Reply> =>
  merchant.call('POST', path, { schedule_by_currency }, headers)
/** The schedules in an answer, after a check of its shape. */
function schedulesIn({ status, body, text }: Reply): Record<string, Entry> {
  assert.equal(status, 200, text)
  assert.ok(Compile(BalanceSettings).Check(body), text)
  return body['schedule_by_currency'] as unknown as Record<string, Entry>
}
const read = async (merchant: Merchant = stack.merchant) => schedulesIn(await merchant.call('GET', path))

const daily = { interval: 'daily' }
const untouched = { last_run_at: null, last_withdrawal_id: null, disabled_reason: null }

test('each interval is set with its days, and answered in full', async () => {
  const { merchant } = await api.addMerchant()
  assert.deepEqual(await read(merchant), {})
  const set = schedulesIn(
    await send(
      {
        NGN: { interval: 'weekly', weekly_payout_days: ['friday', 'monday', 'friday'], anchor_hour_utc: 9 },
        KES: { interval: 'monthly', monthly_payout_days: [31, 1, 31], minimum_amount: '500' },
        GHS: { interval: 'daily', anchor_hour_utc: 23, weekly_payout_days: [], monthly_payout_days: null },
        UGX: { interval: 'manual', minimum_amount: '7000', monthly_payout_days: [] },
      },
      merchant,
    ),
  )
  assert.deepEqual(set, {
    GHS: {
      currency: 'GHS',
      payout_currency: 'GHS',
      interval: 'daily',
      weekly_payout_days: [],
      monthly_payout_days: null,
      anchor_hour_utc: 23,
      minimum_amount: '0.00',
      ...untouched,
      next_run_at: '2028-02-10T23:00:00.000Z',
    },
    KES: {
      currency: 'KES',
      payout_currency: 'KES',
      interval: 'monthly',
      weekly_payout_days: [],
      monthly_payout_days: [1, 31],
      anchor_hour_utc: 0,
      minimum_amount: '500.00',
      ...untouched,
      next_run_at: '2028-02-29T00:00:00.000Z',
    },
    NGN: {
      currency: 'NGN',
      payout_currency: 'NGN',
      interval: 'weekly',
      weekly_payout_days: ['monday', 'friday'],
      monthly_payout_days: null,
      anchor_hour_utc: 9,
      minimum_amount: '0.00',
      ...untouched,
      next_run_at: '2028-02-11T09:00:00.000Z',
    },
    UGX: {
      currency: 'UGX',
      payout_currency: 'UGX',
      interval: 'manual',
      weekly_payout_days: [],
      monthly_payout_days: null,
      anchor_hour_utc: 0,
      minimum_amount: '7000',
      ...untouched,
      next_run_at: null,
    },
  })
  assert.deepEqual(Object.keys(set), ['GHS', 'KES', 'NGN', 'UGX'])
  assert.deepEqual(await read(merchant), set)
})

test('the guide’s call works exactly as printed', async () => {
  const { merchant } = await api.addMerchant()
  const [{ method, path: address, body } = assert.fail(), ...others] = curlsIn('payout-schedules')
  assert.deepEqual(others, [])
  const { NGN, USD } = schedulesIn(await merchant.call(method, address, body))
  assert.deepEqual(NGN?.['weekly_payout_days'], ['monday', 'thursday'])
  assert.deepEqual(USD?.['monthly_payout_days'], [15, 31])
})

test('a currency that is left out keeps its schedule, and a named one is replaced in full', async () => {
  const { merchant } = await api.addMerchant()
  const terms = { interval: 'weekly', weekly_payout_days: ['sunday'], anchor_hour_utc: 5, minimum_amount: '10.00' }
  const first = schedulesIn(await send({ USD: terms, NGN: terms }, merchant))
  const second = schedulesIn(await send({ USD: daily }, merchant))
  assert.deepEqual(second['NGN'], first['NGN'])
  assert.deepEqual(second['USD'], {
    ...first['USD'],
    interval: 'daily',
    weekly_payout_days: [],
    anchor_hour_utc: 0,
    minimum_amount: '0.00',
    next_run_at: '2028-02-11T00:00:00.000Z',
  })
  assert.deepEqual(schedulesIn(await send({}, merchant)), second, 'nothing named changes nothing')
  assert.deepEqual(schedulesIn(await send(second, merchant)), second, 'what was answered can be sent back')
})

test('all errors of the input are listed at once', async () => {
  const reply = await send({
    NGN: { interval: 'weekly', anchor_hour_utc: 24, minimum_amount: '1.001' },
    USD: { interval: 'monthly', weekly_payout_days: ['monday'], monthly_payout_days: [0, 32, 1.5] },
    KES: { interval: 'weekly', weekly_payout_days: ['Monday', 'someday'] },
    UGX: { interval: 'daily', minimum_amount: '0.5', monthly_payout_days: [1] },
    GHS: { interval: 'hourly', minimum_amount: '-1', anchor_hour_utc: '9' },
    TZS: null,
    RWF: daily,
    GBP: { weekly_payout_days: null },
    ZZZ: daily,
  })
  const named = (fields: Record<string, string>) =>
    Object.fromEntries(
      Object.entries(fields).map(([field, type]) => [`schedule_by_currency.${field}`, `value_error.${type}`]),
    )
  assertFieldErrors(
    reply,
    named({
      'NGN.anchor_hour_utc': 'range',
      'NGN.minimum_amount': 'format',
      'NGN.weekly_payout_days': 'missing',
      'USD.weekly_payout_days': 'range',
      'USD.monthly_payout_days.0': 'range',
      'USD.monthly_payout_days.1': 'range',
      'USD.monthly_payout_days.2': 'type',
      'KES.weekly_payout_days.0': 'enum',
      'KES.weekly_payout_days.1': 'enum',
      'UGX.minimum_amount': 'format',
      'UGX.monthly_payout_days': 'range',
      'GHS.interval': 'enum',
      'GHS.minimum_amount': 'format',
      'GHS.anchor_hour_utc': 'type',
      TZS: 'type',
      'GBP.interval': 'missing',
      RWF: 'enum',
      ZZZ: 'enum',
    }),
  )
  assert.deepEqual(await read(), {}, 'nothing is stored')
  assertFieldErrors(await stack.merchant.call('POST', path, {}), { schedule_by_currency: 'value_error.missing' })
  assertFieldErrors(await send([daily]), {
    schedule_by_currency: 'value_error.type',
    'schedule_by_currency.0': 'value_error.enum',
  })
  assertFieldErrors(await send({ NGN: daily, ngn: daily }), { 'schedule_by_currency.NGN': 'value_error' })
  assertFieldErrors(await send({ __proto__x: daily }), { 'schedule_by_currency.__PROTO__X': 'value_error.enum' })
})

test('a minimum has the decimal places of its currency', async () => {
  const { merchant } = await api.addMerchant()
  for (const minimum_amount of ['1e3', '+1', '', '01', '1234567890123456', '0.001']) {
    assertFieldErrors(await send({ USD: { ...daily, minimum_amount } }, merchant), {
      'schedule_by_currency.USD.minimum_amount': `value_error.${minimum_amount.length > 15 ? 'range' : 'format'}`,
    })
  }
  const set = schedulesIn(await send({ USD: { ...daily, minimum_amount: '9999999999999.99' } }, merchant))
  assert.equal(set['USD']?.['minimum_amount'], '9999999999999.99')
})

test('the next run follows the rule from the moment of the call, and one that is due stays due', async () => {
  const { merchant } = await api.addMerchant()
  const terms = { interval: 'monthly', monthly_payout_days: [29, 30], anchor_hour_utc: 6 }
  const rhythm: ScheduleTiming = {
    interval: 'monthly',
    weeklyPayoutDays: [],
    monthlyPayoutDays: [29, 30],
    anchorHourUtc: 6,
  }
  for (const moment of ['2028-02-29T05:59:59.999Z', '2028-03-01T00:00:00Z', '2028-03-29T07:00:00Z']) {
    now = Date.parse(moment)
    const { NGN } = schedulesIn(await send({ NGN: terms }, merchant))
    const expected = nextRunAt(rhythm, now) ?? 0
    const wasDue = moment.startsWith('2028-02-29') ? expected : Date.parse('2028-02-29T06:00:00Z')
    assert.equal(NGN?.['next_run_at'], new Date(wasDue).toISOString(), 'a run that is due and not made stays due')
  }
  now = Date.parse('2028-02-10T12:00:00Z')
})

test('an idempotency key replays the answer', async () => {
  const { merchant } = await api.addMerchant()
  const headers = { 'idempotency-key': 'same' }
  const first = await send({ NGN: daily }, merchant, headers)
  schedulesIn(await send({ NGN: { interval: 'manual' } }, merchant))
  const again = await send({ NGN: daily }, merchant, headers)
  assert.deepEqual([again.text, again.headers.get('idempotent-replayed')], [first.text, 'true'])
  assert.equal((await read(merchant))['NGN']?.['interval'], 'manual', 'the replay changes nothing')
})

test('calls at the same time leave one schedule per currency, all of the same call', async () => {
  const { merchant } = await api.addMerchant()
  const codes = [...paidOutCurrencies]
  const replies = await Promise.all(
    Array.from({ length: 8 }, (_, hour) =>
      send(
        Object.fromEntries(
          (hour % 2 ? codes : codes.toReversed()).map((code) => [code, { ...daily, anchor_hour_utc: hour }]),
        ),
        merchant,
      ),
    ),
  )
  for (const reply of replies) schedulesIn(reply)
  const hours = new Set(Object.values(await read(merchant)).map((entry) => entry['anchor_hour_utc']))
  assert.equal(hours.size, 1, 'the last call’s')
})

test('a schedule that is set while another call stops it has its next run', async () => {
  const { merchant, accountId } = await api.addMerchant()
  schedulesIn(await send({ NGN: daily }, merchant))
  const areWaiting = (count: number) => async () =>
    (await stack.sql(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`))
      .length === count
  const calls: Promise<Reply>[] = []
  await withHeldRows(stack.database, 'accounts where id = ?', [accountId], async () => {
    for (const interval of ['manual', 'daily']) {
      calls.push(send({ NGN: { interval } }, merchant))
      await until(areWaiting(calls.length), `the call for ${interval} waits`)
    }
  })
  for (const reply of await Promise.all(calls)) schedulesIn(reply)
  const { NGN } = await read(merchant)
  assert.deepEqual([NGN?.['interval'], typeof NGN?.['next_run_at']], ['daily', 'string'])
})

test('NOT_FOUND for an account that is not the caller’s; a connected account has its own schedules', async () => {
  const { merchant, accountId } = await api.addMerchant()
  const connected = await api.addConnected(accountId)
  const headers = { 'x-account-id': connected }
  schedulesIn(await send({ NGN: daily }, merchant, headers))
  assert.deepEqual(await read(merchant), {})
  assert.deepEqual(Object.keys(schedulesIn(await merchant.call('GET', path, undefined, headers))), ['NGN'])
  assertError(await send({ NGN: daily }, stack.merchant, headers), 404, 'NOT_FOUND')
  assertError(await stack.merchant.call('GET', path, undefined, headers), 404, 'NOT_FOUND')
})

test('sandbox and live each have their own schedules and processes', async () => {
  const accountId = await api.addAccount()
  const sandbox = await api.addKey({ accountId })
  const live = await api.addKey({ accountId, environment: 'live' })
  const isRunning = async (environment: string): Promise<boolean> => {
    await stack.dispatched()
    const id = processId('payout-schedule', `${accountId}/${environment}/NGN`)
    return stack.client.workflow
      .getHandle(id)
      .describe()
      .then(
        ({ status }) => status.name === 'RUNNING',
        () => false,
      )
  }
  schedulesIn(await send({ NGN: daily }, sandbox.merchant))
  assert.deepEqual(await read(live.merchant), {})
  schedulesIn(await send({ NGN: { interval: 'manual' } }, live.merchant))
  assert.deepEqual([await isRunning('sandbox'), await isRunning('live')], [true, false], 'manual needs no process')
  connectLiveRails(stack)
  schedulesIn(await send({ NGN: { ...daily, anchor_hour_utc: 7 } }, live.merchant))
  assert.ok(await isRunning('live'))
})

test('ACCOUNT_NOT_ACTIVATED for a live schedule that begins in a currency that no rail pays out', async () => {
  const { merchant } = await api.addMerchant('live')
  connectLiveRails(stack)
  Object.assign(stack.deps.rails.in('live'), { paysOut: ['NGN'] })
  const refused = await send({ NGN: daily, USD: daily }, merchant)
  assertError(refused, 400, 'ACCOUNT_NOT_ACTIVATED')
  assert.match(refused.text, /no live rail pays out in USD/)
  assert.deepEqual(await read(merchant), {}, 'a refused call sets nothing')
  const set = schedulesIn(await send({ NGN: daily, USD: { interval: 'manual' } }, merchant))
  assert.deepEqual([set['NGN']?.['interval'], set['USD']?.['next_run_at']], ['daily', null])
})

test('a live schedule can be sent back and changed where the rail of its currency is missing since', async () => {
  const { merchant } = await api.addMerchant('live')
  connectLiveRails(stack)
  const set = schedulesIn(await send({ NGN: daily, USD: daily }, merchant))
  Object.assign(stack.deps.rails.in('live'), { paysOut: ['NGN'] })
  assert.deepEqual(schedulesIn(await send(await read(merchant), merchant)), set)
  const { USD } = schedulesIn(await send({ USD: { ...daily, anchor_hour_utc: 7 } }, merchant))
  assert.equal(USD?.['next_run_at'], '2028-02-11T07:00:00.000Z')
  schedulesIn(await send({ USD: { interval: 'manual' } }, merchant))
  assertError(await send({ USD: daily }, merchant), 400, 'ACCOUNT_NOT_ACTIVATED')
})

test('FORBIDDEN without the scopes', async () => {
  const without = async (scope: string) =>
    api.addKey({ accountId: await api.addAccount(), scopes: scopes.filter((each) => each !== scope) })
  assertError(await send({ NGN: daily }, (await without('payouts:write')).merchant), 403, 'FORBIDDEN')
  assertError(await (await without('payouts:read')).merchant.call('GET', path), 403, 'FORBIDDEN')
})
