import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDuration, durationPattern } from '../../domain/duration.ts'
import { exactNumber, parseExactly, parseOrNull } from '../../domain/exact-json.ts'
import { firstIdAt, newId } from '../../domain/id.ts'
import {
  conventionsOf,
  createFigureWriter,
  createMoneyWriter,
  firstOfOurs,
  languageCodes,
  languageOf,
} from '../../domain/language.ts'
import { mergeMetadata, metadataKeysMax, validateMetadata } from '../../domain/metadata.ts'
import { amountError, isLess, lesser, parseAmount, shareOf, tooManyDecimals } from '../../domain/money.ts'
import { assertMove } from '../../domain/move.ts'
import { fieldsOf, isOneOf, isRecord, recordOf } from '../../domain/narrow.ts'
import { isNuban, nubanOf } from '../../domain/nuban.ts'
import {
  actionResources,
  isActionResource,
  endsOrder,
  needsSecondApprover,
  obstacleTo,
} from '../../domain/operator-action.ts'
import { processListUrl, processLists } from '../../domain/process-list.ts'
import { type Contract, queues } from '../../domain/process-contract.ts'
import { processes, processId, processOf } from '../../domain/processes.ts'
import { nextPollAt, noteAsked, noteOrdered } from '../../domain/rail-polls.ts'
import { providerOf, providerOfCorridor } from '../../domain/rail-provider.ts'
import { errorCodes, invalid, isErrorCode, isTransient, missing, Refusal } from '../../domain/refusal.ts'
import { eventsKeptMs, keptMs, requestLogsKeptMs } from '../../domain/retention.ts'
import { bind, isBound, isOlder, revise, reviseRouting } from '../../domain/revision.ts'

// The rules that belong to no area, tested without a running service.

const at = (text: string) => Date.parse(text)

/** Written by hand from a calendar. */
const durations: [from: string, duration: string, to: string][] = [
  ['2027-01-31T08:00:00Z', 'P1M', '2027-02-28T08:00:00Z'],
  ['2028-01-31T08:00:00Z', 'P1M', '2028-02-29T08:00:00Z'],
  ['2028-02-29T08:00:00Z', 'P1Y', '2029-02-28T08:00:00Z'],
  ['2028-02-29T08:00:00Z', 'P4Y', '2032-02-29T08:00:00Z'],
  ['2027-11-15T08:00:00Z', 'P13M', '2028-12-15T08:00:00Z'],
  ['2027-12-25T08:00:00Z', 'P2W', '2028-01-08T08:00:00Z'],
  ['2027-12-31T23:59:59Z', 'P1D', '2028-01-01T23:59:59Z'],
  ['2027-03-01T00:00:00Z', 'PT72H', '2027-03-04T00:00:00Z'],
  ['2027-03-01T00:00:00Z', 'PT90M', '2027-03-01T01:30:00Z'],
  ['2027-03-01T00:00:00Z', 'PT45S', '2027-03-01T00:00:45Z'],
  ['2027-03-01T00:00:00Z', 'P0D', '2027-03-01T00:00:00Z'],
  ['2027-01-31T00:00:00Z', 'P1Y2M3W4DT5H6M7S', '2028-04-25T05:06:07Z'],
]

test('a duration of ISO 8601 moves on by the calendar in UTC, and a day that a month lacks is its last', () => {
  for (const [from, duration, to] of durations) {
    assert.equal(new Date(addDuration(at(from), duration) ?? 0).toISOString(), new Date(to).toISOString(), duration)
    assert.match(duration, new RegExp(durationPattern))
  }
})

test('a text that is no duration in whole numbers moves nothing', () => {
  const nonsense = ['', 'P', 'PT', 'P1', '1D', 'P1H', 'PT1D', 'P-1D', 'P1.5D', 'p1d', ' P1D', 'P1D ', 'P1DT', 'P1M1Y']
  for (const text of [...nonsense, 'PT1S1M', 'P1W1Y', 'xP1Y', 'P1Yx', 'PT10']) {
    assert.equal(addDuration(0, text), null, text)
    assert.doesNotMatch(text, new RegExp(durationPattern))
  }
})

test('JSON from outside keeps every digit of its numbers, and a text that is no JSON is null', () => {
  assert.deepEqual(parseExactly('{"amount": 0.10, "count": 12345678901234567890, "name": "1"}'), {
    amount: '0.10',
    count: '12345678901234567890',
    name: '1',
  })
  assert.deepEqual(parseOrNull('[true, null, 1e3]'), [true, null, '1e3'])
  assert.equal(parseOrNull('{"amount": '), null)
})

test('a decimal number is written into JSON with all its digits', () => {
  assert.equal(JSON.stringify([exactNumber('00012345678901234567.890')]), '[12345678901234567.890]')
  assert.throws(() => exactNumber('1,5'), SyntaxError)
})

test('what ids of a millisecond begin with sorts before all of them, and after those of the one before', () => {
  assert.equal(firstIdAt('evt', 0), 'evt_0000000000')
  assert.equal(firstIdAt('evt', 32.9), 'evt_0000000010')
  assert.equal(firstIdAt('evt', 31), 'evt_000000000z')
  for (const moment of [1, 1_800_000_000_000]) {
    assert.ok(newId('evt', moment - 1) < firstIdAt('evt', moment) && firstIdAt('evt', moment) <= newId('evt', moment))
  }
})

test('a locale is of the language that it begins with, in any spelling, or of none of ours', () => {
  assert.deepEqual(languageCodes, ['en', 'fr', 'sw', 'pt'])
  assert.deepEqual(languageCodes.map(conventionsOf), ['en-GB', 'fr-FR', 'sw-KE', 'pt-PT'])
  const said = ['fr-CI', 'FR', 'pt_BR', 'swa-TZ', 'en', 'de', 'x', '', '12', 'constructor'].map(languageOf)
  assert.deepEqual(said, ['fr', 'fr', 'pt', 'sw', 'en', null, null, null, null, null])
  assert.equal(languageOf(null), null)
})

test('the first locale in one of our languages counts, else the first that is named at all', () => {
  assert.equal(firstOfOurs(null, 'de-DE', 'fr-CI', 'en'), 'fr-CI')
  assert.equal(firstOfOurs(null, 'de-DE', 'it'), 'de-DE')
  assert.equal(firstOfOurs(null, null), null)
})

test('amounts are written with their symbol as people of the language do, and with all digits of the currency', () => {
  const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ')
  const written = (code: Parameters<typeof createMoneyWriter>[0], amount: string, currency: string) =>
    plain(createMoneyWriter(code)(amount, currency))
  assert.equal(written('en', '5000', 'NGN'), '₦5,000.00')
  assert.equal(written('en', '1234567.5', 'USD'), '$1,234,567.50')
  assert.equal(written('en', '1500', 'RWF'), 'FRw 1,500') // a symbol of letters keeps its space
  assert.equal(written('en', '20', 'GHS'), 'GH₵20.00')
  assert.equal(written('fr', '5000', 'NGN'), '5 000,00 ₦')
  assert.equal(written('pt', '1500.5', 'EUR'), '1 500,50 €')
  assert.equal(written('en', '1.2', 'DOGE'), '1.2 DOGE')
  const writer = createMoneyWriter('en')
  assert.deepEqual([writer('1', 'USD'), writer('1', 'NGN'), writer('2', 'USD')], ['$1.00', '₦1.00', '$2.00'])
})

test('a figure keeps all its digits and has the marks of the language', () => {
  const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ')
  assert.equal(createFigureWriter('en')('1234567'), '1,234,567')
  assert.equal(createFigureWriter('en')('1234.500'), '1,234.500')
  assert.equal(plain(createFigureWriter('fr')('1234.50')), '1 234,50')
  assert.equal(plain(createFigureWriter('pt')('1234')), '1 234')
})

test('metadata merges key by key: an empty text removes its key, and one in place of all removes all', () => {
  const known = { order: '1', colour: 'red' }
  assert.deepEqual(mergeMetadata(known, undefined), known)
  assert.deepEqual(mergeMetadata(known, { colour: '', size: 'L', order: '2' }), { order: '2', size: 'L' })
  assert.deepEqual(mergeMetadata(known, ''), {})
  assert.deepEqual(mergeMetadata(known, { absent: '' }), known)
})

test('metadata may have fifty keys after a change, and one more is an error', () => {
  const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, key) => [`k${key}`, 'v']))
  assert.equal(metadataKeysMax, 50)
  assert.deepEqual(validateMetadata(keys(50)), [])
  const [error, ...more] = validateMetadata(keys(51))
  assert.deepEqual([error?.field, error?.type, more], ['metadata', 'value_error.range', []])
})

test('an amount that cannot be taken is an error of its field that says what to write instead', () => {
  const errorOf = (text: string, currency: 'USD' | 'RWF' | null = 'USD') => {
    const { field, type, message } = amountError(text, currency, 'fee') ?? assert.fail(`${text} is taken`)
    assert.equal(field, 'fee')
    return `${type}: ${message}`
  }
  const hint = 'digits and one point, without commas or spaces'
  for (const text of ['1,50', "1'000", '1 000', '1.000.00'])
    assert.match(errorOf(text), new RegExp(`format: .*${hint}$`))
  for (const text of ['', '1e3', '-1', 'ten', '٣']) {
    assert.match(errorOf(text), /^value_error\.format: must be a plain decimal string such as "25\.00"$/)
  }
  for (const text of ['007', '00.50']) assert.match(errorOf(text), /format: .*: without zeros in front$/)
  for (const text of ['25.', '.5']) assert.match(errorOf(text), /format: .*: with digits before and after the point$/)
  assert.match(errorOf('1.001'), /format: USD has 2 decimal places$/)
  assert.match(errorOf('1.5', 'RWF'), /format: RWF has no decimal places: write whole units$/)
  assert.match(errorOf('1234567890123456', null), /range: must have at most 15 significant digits$/)
  assert.equal(amountError('0.000000000000001', null), null) // zeros before the first digit do not count
  assert.equal(amountError('1.'.padEnd(41, '0'), null)?.type, 'value_error.format')
  assert.equal(tooManyDecimals('USDT_TRC20', 6), 'USDT_TRC20 has 6 decimal places')
})

test('a refused amount names its field in the detail and in the entry', () => {
  assert.throws(
    () => parseAmount('1.001', 'USD', 'minimum_amount'),
    (error) =>
      error instanceof Refusal &&
      error.code === 'VALIDATION_ERROR' &&
      error.message === 'minimum_amount: USD has 2 decimal places' &&
      error.errors.length === 1 &&
      error.errors[0]?.field === 'minimum_amount' &&
      error.errors[0].type === 'value_error.format',
  )
  assert.throws(
    () => parseAmount('1234567890123456', 'NGN'),
    (error) =>
      error instanceof Refusal && error.errors[0]?.field === 'amount' && error.errors[0].type === 'value_error.range',
  )
})

test('a percentage of an amount is rounded down at the decimals that the amount was written with', () => {
  assert.equal(shareOf('9.99', 50), '4.99')
  assert.equal(shareOf('1001', 50), '500')
  assert.equal(shareOf('10.000000', 33), '3.300000')
  assert.equal(shareOf('0.01', 99), '0.00')
})

test('the lesser of two amounts, by value and not by text', () => {
  assert.equal(lesser('9.00', '10.00'), '9.00')
  assert.equal(lesser('10.00', '9.00'), '9.00')
  assert.equal(lesser('1.0', '1.00'), '1.0')
  assert.ok(!isLess('1.0', '1.00'))
})

test('a move that is not in the table is refused, and the refusal says what cannot become what', () => {
  const moves = { open: ['closed'], closed: [] } as const
  assertMove<'open' | 'closed'>('door', moves, 'open', 'closed')
  assert.throws(
    () => assertMove<'open' | 'closed'>('door', moves, 'closed', 'open'),
    (error) =>
      error instanceof Refusal &&
      error.code === 'CONFLICT' &&
      error.message === 'a door that is closed cannot become open',
  )
})

test('above the limit a second person must confirm how it ended; exactly at it one is enough', () => {
  const needed = (['10', '10.01'] as const).map((usd) => needsSecondApprover('mark_failed', usd, '10.00'))
  assert.deepEqual(needed, [false, true])
  assert.equal(needsSecondApprover('release', '11', '10'), false)
})

test('a value from outside is narrowed only to what it is', () => {
  assert.deepEqual([isOneOf(['a', 'b'], 'b'), isOneOf(['a', 'b'], 'c'), isOneOf([], 'a')], [true, false, false])
  assert.deepEqual([{}, [], null, 'text', 1, undefined].map(isRecord), [true, true, false, false, false, false])
  assert.deepEqual([fieldsOf({ a: 1 }), fieldsOf('text'), fieldsOf(null)], [{ a: 1 }, {}, {}])
  assert.deepEqual(
    recordOf(['a', 'b'], (key) => key.toUpperCase()),
    { a: 'A', b: 'B' },
  )
})

test('the check digit of a Nigerian account number is that of the Central Bank’s example', () => {
  assert.equal(nubanOf('011', 14_579), '0000145790')
  assert.ok(isNuban('011', '0000145790'))
  for (const digit of '123456789') assert.ok(!isNuban('011', `000014579${digit}`), digit)
  for (const text of ['000014579', '00001457900', '00001457 0', 'x0000145790']) assert.ok(!isNuban('011', text), text)
  assert.ok(!isNuban('058', '0000145790'), 'another bank has another digit')
})

test('staff act on exactly these kinds of resources, and only marking one decides how it ended', () => {
  const kinds = ['payout', 'refund', 'conversion', 'payment', 'webhook_delivery', 'dispute']
  assert.deepEqual([...actionResources].toSorted(), kinds.toSorted())
  assert.ok(kinds.every(isActionResource))
  for (const other of ['checkout_session', 'constructor', '']) assert.ok(!isActionResource(other))
  const ending = (['retry', 'hold', 'release', 'mark_settled', 'mark_failed'] as const).filter(endsOrder)
  assert.deepEqual(ending, ['mark_settled', 'mark_failed'])
})

test('why an action is not possible: it has ended, is on hold or not, was not sent, or nobody can say yet', () => {
  const sent = { stage: 'sent', isOnHold: false } as const
  const unsent = { stage: 'unsent', isOnHold: false } as const
  assert.equal(obstacleTo('retry', { stage: null, isOnHold: true }), 'not_actionable')
  assert.equal(obstacleTo('mark_failed', { stage: 'undecidable', isOnHold: false }), 'undecidable')
  assert.equal(obstacleTo('retry', { stage: 'undecidable', isOnHold: false }), null)
  assert.equal(obstacleTo('release', sent), 'not_on_hold')
  assert.equal(obstacleTo('release', { ...sent, isOnHold: true }), null)
  assert.equal(obstacleTo('hold', { ...sent, isOnHold: true }), 'on_hold')
  assert.equal(obstacleTo('retry', { ...sent, isOnHold: true }), 'on_hold')
  assert.equal(obstacleTo('retry', unsent), 'unsent')
  assert.equal(obstacleTo('mark_failed', unsent), 'unsent')
  assert.equal(obstacleTo('hold', unsent), null)
})

test('the engine’s list is linked by its namespace, with the query of a list where there is one', () => {
  assert.equal(processListUrl('http://ui', 'a b'), 'http://ui/namespaces/a%20b/workflows')
  assert.equal(
    processListUrl('http://ui', 'default', 'State="on_hold"'),
    'http://ui/namespaces/default/workflows?query=State%3D%22on_hold%22',
  )
  const names = new Set<string>(processLists.map(({ name }) => name))
  assert.equal(names.size, processLists.length)
  for (const { query } of processLists) assert.match(query, /^[A-Z][A-Za-z]+(=| IN )/)
})

/** Parts of ids in the engine: running processes are found by them, so none may change. */
const prefixes: Record<string, string> = {
  checkout: 'checkout',
  deposit: 'deposit',
  refund: 'refund',
  dispute: 'dispute',
  conversion: 'conversion',
  payout: 'payout',
  'payout-destination': 'destination',
  'payout-schedule': 'schedule',
  'webhook-delivery': 'delivery',
  'webhook-endpoint': 'endpoint',
  'webhook-recovery': 'recovery',
  subscription: 'subscription',
  'account-review': 'account',
  clock: 'clock',
  housekeeping: 'housekeeping',
  supervisor: 'supervisor',
}

test('each process has its prefix and its queue, and every message of it says in a sentence what it means', () => {
  assert.deepEqual(queues, ['main', 'webhooks'])
  const contracts: [string, Contract][] = Object.entries(processes)
  assert.deepEqual(Object.fromEntries(contracts.map(([name, { prefix }]) => [name, prefix])), prefixes)
  for (const [name, { queue, updates = {}, signals = {} }] of contracts) {
    assert.equal(queue, name.startsWith('webhook-') ? 'webhooks' : 'main')
    for (const { means } of Object.values({ ...updates, ...signals })) assert.match(means, /^[A-Z][^]{15,}\.$/, name)
  }
})

test('each process understands the messages that others send to it', () => {
  const orders = 'retry hold release markSettled markFailed'
  const understood: Record<string, [updates: string, signals: string]> = {
    checkout: ['pay confirm cancel accept retry markSettled markFailed', 'railAnswered clockMoved'],
    deposit: ['retry markSettled markFailed', 'railAnswered clockMoved'],
    refund: [orders, 'railAnswered clockMoved'],
    dispute: ['submit accept retry markSettled markFailed', 'networkAnswered chargeRefunded clockMoved'],
    conversion: [orders, 'railAnswered clockMoved'],
    payout: [`decide ${orders}`, 'railAnswered clockMoved'],
    'payout-destination': ['decide', 'restated deactivated clockMoved'],
    'payout-schedule': ['', 'changed clockMoved'],
    'webhook-delivery': ['retry hold release markFailed', 'attemptNow clockMoved'],
    'webhook-endpoint': ['', 'failed succeeded disabled clockMoved'],
    'account-review': ['decide', 'changed clockMoved'],
    clock: ['', 'advance'],
  }
  for (const [name, { updates = {}, signals = {} }] of Object.entries<Contract>(processes)) {
    const expected = understood[name]
    if (expected) assert.deepEqual([Object.keys(updates).join(' '), Object.keys(signals).join(' ')], expected, name)
  }
})

test('an id in the engine names its process and resource, whatever the resource’s id contains', () => {
  assert.equal(processId('payout-schedule', 'acct_1/NGN'), 'schedule/acct_1/NGN')
  assert.deepEqual(processOf('schedule/acct_1/NGN'), { process: 'payout-schedule', resourceId: 'acct_1/NGN' })
  for (const strange of ['payout', 'unknown/pay_1', '', '/pay_1', 'constructor/x'])
    assert.equal(processOf(strange), null)
})

test('a rail is asked after five minutes, an hour and then daily, however often its process is started again', () => {
  const minute = 60_000
  const orderedAt = Date.parse('2027-01-01T00:00:00Z')
  const asked = (minutes: number) => (nextPollAt(orderedAt, orderedAt + minutes * minute) - orderedAt) / minute
  assert.deepEqual([0, 4.9, 5, 59, 60, 61].map(asked), [5, 5, 60, 60, 1_500, 1_500])
  assert.deepEqual([1_499, 1_500, 10_000].map(asked), [1_500, 2_940, 10_140])
})

test('events are kept for 90 days and calls for 7, and nothing is deleted while it can still be read', () => {
  assert.deepEqual([eventsKeptMs, requestLogsKeptMs], [7_776_000_000, 604_800_000])
  assert.ok(
    keptMs.eventBody > eventsKeptMs && keptMs.delivery === eventsKeptMs && keptMs.requestLog === requestLogsKeptMs,
  )
  for (const [kind, ms] of Object.entries(keptMs)) assert.ok(ms >= 0 && ms <= keptMs.eventBody, kind)
})

test('each order to a rail and each question counts, and says when the rail is asked next', () => {
  const polled: Parameters<typeof noteOrdered>[0] = { pollCount: 0, nextPollAt: null }
  noteOrdered(polled, 1_000)
  assert.deepEqual(polled, { pollCount: 1, nextPollAt: new Date(1_000) })
  noteAsked(polled, 301_000)
  assert.deepEqual(polled, { pollCount: 2, nextPollAt: new Date(301_000) })
})

test('a live currency has one provider; the sandbox, and a currency without one, has none', () => {
  const live = ['USD', 'NGN', 'GHS', 'KES', 'XOF', 'EUR', 'constructor'].map((currency) => providerOf('live', currency))
  assert.deepEqual(live, ['stripe', 'paystack', 'paystack', 'paystack', 'paystack', null, null])
  assert.equal(providerOf('sandbox', 'USD'), null)
  assert.equal(providerOfCorridor('live', 'NGN_BANK_TRANSFER'), 'paystack')
  assert.equal(providerOfCorridor('live', 'USD_CARD'), 'stripe')
  assert.equal(providerOfCorridor('live', null), null)
})

test('only what was unavailable or busy is tried again: the codes of 500 and above', () => {
  const codes = Object.keys(errorCodes).filter(isErrorCode)
  assert.deepEqual(codes.filter(isTransient), ['INTERNAL_SERVER_ERROR', 'BAD_GATEWAY', 'SERVICE_UNAVAILABLE'])
  assert.ok(!isErrorCode('constructor') && !isErrorCode('not_found'))
})

test('a refusal carries its code, its fields and after how long another try makes sense', () => {
  const busy = new Refusal('TOO_MANY_REQUESTS', 'too often', [], 60)
  assert.deepEqual(
    [busy.name, busy.code, busy.message, busy.errors, busy.retryAfter].join(),
    'Refusal,TOO_MANY_REQUESTS,too often,,60',
  )
  assert.equal(new Refusal('NOT_FOUND', 'no such payout').retryAfter, null)
  assert.deepEqual(new Refusal('NOT_FOUND', 'no such payout').errors, [])
  const wrong = invalid('amount', 'is too much', 'value_error.range')
  assert.deepEqual([wrong.code, wrong.message], ['VALIDATION_ERROR', 'amount: is too much'])
  assert.deepEqual(wrong.errors, [{ field: 'amount', message: 'is too much', type: 'value_error.range' }])
  assert.equal(invalid('amount', 'is odd').errors[0]?.type, 'value_error.format')
  assert.deepEqual(missing('email'), { field: 'email', message: 'is required', type: 'value_error.missing' })
})

test('a revision only grows, and a payout is bound to the routing that it was accepted for', () => {
  const row = { revision: 1 }
  revise(row)
  assert.deepEqual(row, { revision: 2 })
  assert.deepEqual(
    [isOlder({ revision: 1 }, row), isOlder(row, row), isOlder(row, { revision: 1 })],
    [true, false, false],
  )
  const destination = { routingRevision: 3 }
  const payout = { destinationRevision: null }
  assert.ok(!isBound(payout, destination))
  bind(payout, destination)
  assert.ok(isBound(payout, destination))
  reviseRouting(destination)
  assert.ok(destination.routingRevision === 4 && !isBound(payout, destination))
})
