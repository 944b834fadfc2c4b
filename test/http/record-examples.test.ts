import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeEach, test } from 'node:test'
import { errorExamples, type Example, examples, type Recorded } from '../../api/http/examples.ts'
import { newId } from '../../domain/id.ts'
import { createNormalizer, exampleBase, exampleTime } from '../support/normalize-example.ts'
import { recordExamples } from '../support/record-examples.ts'

// A file of examples changes only where an answer has: so the change of a file shows what has changed for readers.
let folder: URL
beforeEach((context) => {
  const path = mkdtempSync(join(tmpdir(), 'examples-'))
  folder = pathToFileURL(`${path}/`)
  if ('after' in context) context.after(() => rmSync(path, { recursive: true }))
})
const read = (name = 'payments') => readFileSync(new URL(`${name}.json`, folder), 'utf8')

/** A run of the service in the real world: its ids, times and secrets are its own. */
type Run = { now: number; random: string; cents?: string }

const id = (prefix: 'pay' | 'cust', { now, random }: Run, place = '1') =>
  newId(prefix, now).slice(0, -24) + place.padStart(24, random)

/** A list of two payments as an API answers in a run. */
function answerIn(run: Run, { isReversed = false } = {}) {
  const invoice = `${exampleBase}/invoice/${'aB3'.repeat(10)}${run.random}Z`
  const at = (ms: number) => new Date(run.now + ms).toISOString()
  const one = {
    payment_id: id('pay', run),
    amount: `25.${run.cents ?? '00'}`,
    status: 'succeeded',
    created_at: at(-1_000),
    paid_on: at(0).slice(0, 10),
    text: `Paid for ${id('cust', run)}. Pay again on ${inWords(run.now)}: ${invoice}\n`,
    session_id: String(run.now).repeat(2),
    api_version: '2026-11-20',
  }
  const two = { ...one, payment_id: id('pay', run, '2'), status: 'failed' }
  const place = Buffer.from(JSON.stringify([run.now, one.payment_id])).toString('base64url')
  const cursor = `${place}.${'s'.repeat(21)}${run.random}`
  const items = isReversed ? [two, one] : [one, two]
  return { items, pagination: { next_cursor: cursor, limit: 2, total: run.now % 50 } }
}

const inWords = (now: number) =>
  new Date(now).toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })

/** What a run records of an operation. */
function recordIn(run: Run, change: Partial<Example> = {}, options: { isReversed?: boolean } = {}) {
  const { normalize } = createNormalizer(exampleBase, run.now)
  const request = normalize({ query: { customer_id: id('cust', run), limit: 2 } })
  const call: Example = { name: 'example', summary: 'List payments', request, status: 200, answer: null, ...change }
  if (!('answer' in change)) call.answer = normalize(answerIn(run, options))
  const refusals = {
    NOT_FOUND: { error_code: 'NOT_FOUND', detail: `no payment since ${new Date(run.now).toISOString()}` },
  }
  const recorded: Record<string, Recorded> = { 'payments.list': { calls: [call], refusals: normalize(refusals) } }
  recordExamples(recorded, normalize({ CONFLICT: refusals.NOT_FOUND }), folder)
  return read() + read('errors')
}

const first: Run = { now: Date.UTC(2026, 10, 25, 18, 59, 31, 7), random: 'q' }
const second: Run = { now: Date.UTC(2027, 1, 3, 0, 0, 29, 501), random: '7' }

test('a second run, with other ids, times, tokens and another order, changes no file', () => {
  const before = recordIn(first)
  assert.equal(recordIn(second, {}, { isReversed: true }), before)
  assert.equal(recordIn({ ...second, now: first.now + 30_000 }), before)
})

test('an amount, a status, a text, a field or what is sent that has changed is recorded', () => {
  const [one, two] = answerIn(second).items
  const { pagination } = answerIn(second)
  const answers = {
    'an amount': answerIn({ ...second, cents: '01' }),
    'a status': { items: [one, { ...two, status: 'canceled' }], pagination },
    'a text': { items: [{ ...one, text: 'Paid.' }, two], pagination },
    'a field more': { items: [{ ...one, fee: '1.00' }, two], pagination },
    'an item less': { items: [one], pagination },
    'nothing instead of a time': { items: [{ ...one, created_at: null }, two], pagination },
    'a number that is no count': { items: [one, two], pagination: { ...pagination, limit: 3 } },
    'another kind of id': { items: [{ ...one, payment_id: id('cust', second) }, two], pagination },
    'another version': { items: [{ ...one, api_version: '2027-01-01' }, two], pagination },
  }
  const { normalize } = createNormalizer(exampleBase, second.now)
  const changes: Record<string, Partial<Example>> = {
    'the status of the answer': { status: 201 },
    'what is sent': { request: { query: { customer_id: id('cust', second), limit: 3 } } },
    'an account number that is sent': { request: { body: { account_number: '0000000002' } } },
  }
  for (const [what, answer] of Object.entries(answers)) changes[what] = { answer: normalize(answer) }
  for (const [what, change] of Object.entries(changes)) {
    const before = recordIn(first)
    assert.equal(recordIn(second), before)
    assert.notEqual(recordIn(second, change), before, what)
    rmSync(new URL('payments.json', folder))
  }
})

test('one call that has changed leaves the others of its operation as they were', () => {
  const record = (run: Run, text: string) => {
    const { normalize } = createNormalizer(exampleBase, run.now)
    const calls = ['example', 'other'].map((name) => ({
      name,
      summary: name,
      request: {},
      status: 200,
      answer: normalize({ at: new Date(run.now + 90_000).toISOString(), text: name === 'other' ? text : 'same' }),
    }))
    recordExamples({ 'payments.get': { calls, refusals: {} } }, {}, folder)
    return (JSON.parse(read()) as { 'payments.get': { calls: { answer: { text: string } }[] } })['payments.get'].calls
  }
  const [same] = record(first, 'before')
  const [again, changed] = record({ ...second, now: second.now + 31_000 }, 'now')
  assert.deepEqual(again, same)
  assert.equal(changed?.answer.text, 'now')
})

test('nothing is recorded that another run would have to replace again', () => {
  const again = <T>(value: T): T => createNormalizer(exampleBase, exampleTime).normalize(value)
  for (const [operationId, { calls, refusals }] of Object.entries(examples)) {
    for (const { name, request, answer } of calls) {
      const how = createNormalizer(exampleBase, exampleTime)
      assert.deepEqual(how.normalize(request), request, `${operationId} (${name})`)
      assert.deepEqual(how.normalize(answer), answer, `${operationId} (${name})`)
    }
    for (const [code, body] of Object.entries(refusals)) assert.deepEqual(again(body), body, `${operationId} ${code}`)
  }
  for (const [code, body] of Object.entries(errorExamples)) assert.deepEqual(again(body), body, code)
})
