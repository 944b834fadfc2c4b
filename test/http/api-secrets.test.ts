import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { Client } from 'pg'
import { processes, processId, type ProcessName } from '../../domain/processes.ts'
import { type Deployment, deploy } from '../proof/deployment.ts'
import { rowProcesses } from '../support/resources.ts'
import { fromAnywhere } from '../support/api.ts'
import { change, register } from '../support/destination.ts'
import { type Merchant, mobileSale, type Reply, sale, setup, transferSale } from '../support/merchant.ts'
import { outMarks, sendMoneyOut } from '../support/money-out.ts'
import { createLink, opened } from '../support/payment-link.ts'
import { openPortal, portalCalls } from '../support/portal.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { make } from '../support/resource.ts'
import { until } from '../support/until.ts'
import { textIn } from '../support/texts.ts'
import { addCustomer, requestAccount, depositInto, type VirtualAccount } from '../support/virtual-account.ts'

// Everything that a buyer or merchant sends is marked. It goes through real processes in every way that the API has.
// Then the test looks for the marks in what those processes have logged, stored and given to the engine.

const person = { email: 'marked.buyer@example.com', name: 'Markedname Buyer', phone_number: '+2348099887766' }
/** A new customer in several calls at once, which collide at a unique index. */
const racer = { email: 'marked.racer@example.com', name: 'Markedracer Buyer' }
const numbers = ['4242424242424242', '4000003800000446', '5555555555554444', '4000000000000002']
const cvc = '9174'
const wallet = '+254711998871'
const codes = ['123456', 'MARKEDCODE77']
const webhookSecret = 'marked-webhook-secret'
const guess = 'sk_sandbox_markedguess'

let deployment: Deployment
let merchant: Merchant
let log: () => string
let receiver: Receiver
const clientSecrets: string[] = []
let refused: Reply[] = []

before(async () => {
  deployment = await deploy({ env: { LOG_LEVEL: 'trace' } })
  receiver = await startReceiver([500, 302])
  const worker = await deployment.startWorker()
  const api = await deployment.startApi()
  merchant = api.merchant
  log = () => worker.log() + api.log()
  await sendEverything()
})
after(async () => {
  await receiver.close()
  await deployment.stop()
})

type Session = { checkout_id: string; client_secret: string }
const asBuyer = ({ client_secret }: Session) => ({ authorization: `Bearer ${client_secret}`, ...fromAnywhere() })
const markedCard = (number: string) => ({
  number: number.replaceAll(/(.{4})/g, '$1 ').trim(),
  exp_month: 12,
  exp_year: 2040,
  cvc,
})

/** Opens the portal of a new customer, and uses its token once rightly and once wrongly. */
async function openOnePortal(): Promise<void> {
  const customer = await make(merchant, '/v1/customers', { email: 'portal@example.com' }, 'customer_id')
  const { token } = await openPortal(merchant, customer)
  clientSecrets.push(token.split('_secret_')[1] ?? '')
  await portalCalls(merchant, token)('GET', 'me')
  await portalCalls(merchant, `${token}x`)('PATCH', 'me', { name: 'Ada' })
}

async function open(body: Record<string, unknown>): Promise<Session> {
  const session = await merchant.createCheckout(body)
  clientSecrets.push(session.client_secret.split('_secret_')[1] ?? '')
  return session
}

const pay = (session: Session, body: Record<string, unknown>, key: string) =>
  merchant.call('POST', `/v1/checkout-sessions/${session.checkout_id}/pay`, body, {
    ...asBuyer(session),
    'idempotency-key': key,
  })

async function sendEverything(): Promise<void> {
  await merchant.setWebhook(receiver.url, webhookSecret)
  for (const [index, number] of numbers.entries()) {
    const session = await open({ ...sale, customer: index === 0 ? person : undefined, customer_creation: 'always' })
    const body = { payment_method: 'USD_CARD', card: markedCard(number), customer_details: person, confirm: true }
    await pay(session, body, `card ${index}`)
    await pay(session, body, `card ${index}`)
    for (const code of codes) {
      const path = `/v1/checkout-sessions/${session.checkout_id}/confirm`
      await merchant.call('POST', path, { code }, { ...asBuyer(session), 'idempotency-key': code })
    }
  }
  const transfer = await open(transferSale)
  const { body } = await pay(transfer, { payment_method: 'NGN_BANK_TRANSFER', customer_details: person }, 'transfer')
  const deposit = { sender_name: person.name }
  assert.equal((await merchant.deposit(String(body['payment_id']), deposit)).body['status'], 'succeeded')
  const link = await createLink(merchant)
  const prefill = { customer_email: person.email, customer_name: person.name }
  clientSecrets.push((await opened(merchant, link, prefill)).client_secret.split('_secret_')[1] ?? '')
  const mobile = await open(mobileSale)
  const byPhone = { payment_method: 'MOMO_KES', phone_number: wallet, provider: 'mpesa', customer_details: person }
  assert.equal((await pay(mobile, byPhone, 'wallet')).body['payment_status'], 'requires_action')
  await pay(mobile, { ...byPhone, provider: wallet }, 'wallet as provider')
  await pay(await open(mobileSale), { ...byPhone, phone_number: `${wallet} ` }, 'wallet with a space')
  await useVirtualAccount()
  await changeDestination()
  await saveCard()
  await race()
  refused = await sendMoneyOut(deployment, merchant)
  await sendWrongCalls(await open(sale))
  await openOnePortal()
  await until(async () => (await left()) === 0, 'everything is dispatched')
}

/** Equal emails at once, and a lock that is held for longer than a statement may take: Postgres logs both. */
async function race(): Promise<void> {
  const locker = new Client({ connectionString: deployment.databaseUrl })
  await locker.connect()
  await locker.query('begin; lock table customers in share mode') // all find no customer, and then all insert
  const creations = Array.from({ length: 6 }, () => merchant.createCheckout({ ...sale, customer: racer }))
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await until(async () => (await deployment.sql(waiting)).length > 1, 'two of them wait to insert')
  await locker.query('commit')
  await Promise.all(creations)
  await locker.query('begin; lock table customers in access exclusive mode')
  const late = { ...racer, email: racer.email.toUpperCase() }
  await merchant.call('POST', '/v1/checkout-sessions', { ...sale, customer: late })
  await locker.end()
}

async function useVirtualAccount(): Promise<void> {
  const customer = await addCustomer(merchant, person)
  const { body } = await requestAccount(merchant, customer, { account_name: person.name })
  const account = body as unknown as VirtualAccount
  const deposit = await depositInto(merchant, account, { amount: '10.00', sender_name: person.name })
  assert.equal(deposit.body['status'], 'succeeded')
}

async function changeDestination(): Promise<void> {
  const { name } = person
  const account = { account_number: '31920008', account_name: name, metadata: { holder: name } }
  const destination = await register(merchant, 'GBP', { name, ...account })
  await change(merchant, destination, { account_number: '41920008', account_name: `${name} Ltd` })
}

async function saveCard(): Promise<void> {
  const card = markedCard(numbers[0] ?? '')
  const session = await open(setup)
  const { body } = await pay(
    session,
    { payment_method: 'USD_CARD', card, customer_details: person, confirm: true },
    'set up',
  )
  assert.equal(body['payment_status'], 'succeeded')
}

/** Failures let secrets out most easily: invalid bodies, wrong fields, wrong credentials, lost database connections. */
async function sendWrongCalls(session: Session): Promise<void> {
  const body = { payment_method: 'USD_CARD', card: markedCard('4242424242424241'), customer_details: person }
  const path = `/v1/checkout-sessions/${session.checkout_id}/pay`
  await merchant.call('POST', path, body, asBuyer(session))
  await merchant.call('POST', path, `${JSON.stringify(body)}}`, asBuyer(session))
  await merchant.call(
    'POST',
    path,
    { ...body, card: { ...body.card, cvc: Number(cvc), number: 4242424242424242 } },
    asBuyer(session),
  )
  await merchant.call('GET', `/v1/payments/${person.email}?reference=${person.email}&cursor=${session.client_secret}`)
  await merchant.call('GET', `/v1/${person.email}`)
  await merchant.call('GET', '/v1/payments', undefined, { authorization: `Bearer ${guess}`, ...fromAnywhere() })
  await merchant.call('PUT', '/api/v1/notifications/webhooks/configuration', {
    webhook_url: `https://${person.name}:${webhookSecret}@example.com`,
    webhook_secret: webhookSecret,
  })
  const cut = () =>
    deployment.sql(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()`,
    )
  const good = {
    payment_method: 'USD_CARD',
    card: markedCard('4242424242424242'),
    customer_details: person,
    confirm: true,
  }
  const calls = Array.from({ length: 40 }, async (_, index) => {
    if (index % 10 === 9) await cut().catch(() => undefined)
    await merchant.call('POST', '/v1/checkout-sessions', { ...sale, customer: person }).catch(() => undefined)
    await pay(session, good, `cut ${index}`).catch(() => undefined)
  })
  await Promise.all(calls)
}

async function left(): Promise<number> {
  const [row] = await deployment.sql<{ count: string }>('select count(*) from outbox').catch(() => [])
  return Number(row?.count ?? 1)
}

/** Ids and times contain the same digits by chance: digits count only with no letter, digit, dot or hyphen beside. */
const holds = (text: string, mark: string) =>
  /^\d+$/.test(mark) ? new RegExp(`(?<![\\w.-])${mark}(?![\\w.-])`).test(text) : text.includes(mark)

const spaced = (number: string) => number.replaceAll(/(.{4})/g, '$1 ').trim()
const secrets = () => [
  ...numbers.flatMap((number) => [number, spaced(number)]),
  '4242424242424241',
  cvc,
  ...codes,
  webhookSecret,
  wallet,
  wallet.slice(1),
  wallet.slice(4),
  merchant.apiKey,
  merchant.apiKey.slice(11),
  guess,
  ...clientSecrets,
  ...[webhookSecret, merchant.apiKey].map((secret) =>
    Buffer.from(secret).toString('base64').replace(/=+$/, '').slice(0, -1),
  ),
]
const personal = [...Object.values(person), ...Object.values(racer)]
const moneyOut = [...outMarks.routing, ...outMarks.words]

test('the logs hold no secret and no personal data, even at the level trace', () => {
  const text = log()
  assert.ok(text.split('\n').length > 50, 'there are logs to look at')
  assert.match(text, /"route":"\/v1\/checkout-sessions\/:checkout_id\/pay"/)
  const hits = [...secrets(), ...personal, ...moneyOut].filter((mark) => holds(text, mark))
  assert.deepEqual(hits, [])
})

test('the errors that Postgres logs hold no secret and no personal data', () => {
  const file = process.env['TEST_POSTGRES_LOG']
  if (!file) throw new Error('TEST_POSTGRES_LOG is missing: where does the Postgres of TEST_DATABASE_ADMIN_URL log?')
  const database = new URL(deployment.databaseUrl).pathname.slice(1)
  const entries = readFileSync(file, 'utf8').split(/\n(?=\d{4}-)/)
  const ours = entries.filter((entry) => entry.includes(` ${database} `)).join('\n')
  assert.match(ours, /ERROR: .*duplicate key/)
  assert.match(ours, /ERROR: .*statement timeout/)
  assert.match(ours, /STATEMENT: .*insert into/s)
  const marks = [...secrets(), ...personal, racer.email.toUpperCase(), ...moneyOut]
  assert.deepEqual(
    marks.filter((mark) => holds(ours, mark)),
    [],
  )
})

test('no error repeats where money should go, or what the merchant or staff wrote about it', () => {
  for (const { status, text } of refused) {
    assert.ok(status >= 400 && status < 500, `${status}: ${text}`)
    assert.deepEqual(
      moneyOut.filter((mark) => holds(text, mark)),
      [],
      text,
    )
  }
})

/** The columns of the database that hold a mark, as `table.column`. */
async function placesOf(marks: string[]): Promise<string[]> {
  const tables = await deployment.sql<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public'`,
  )
  const places = new Set<string>()
  for (const { name } of tables) {
    for (const { row } of await deployment.sql<{ row: Record<string, unknown> }>(
      `select to_jsonb(t) as row from "${name}" t`,
    )) {
      for (const [column, value] of Object.entries(row)) {
        const text = typeof value === 'string' ? value : JSON.stringify(value)
        if (marks.some((mark) => holds(text, mark))) places.add(`${name}.${column}`)
      }
    }
  }
  return [...places].toSorted()
}

test('no card or wallet number, code, key, client secret or webhook secret is anywhere in the database', async () => {
  assert.deepEqual(await placesOf(secrets()), [])
})

test('personal data is only where a sale, a customer or an event needs it', async () => {
  assert.deepEqual(await placesOf(personal), [
    'checkouts.customer_details',
    'customers.email',
    'customers.name',
    'customers.phone_number',
    'events.body',
    'payment_requests.customer_details',
    'payments.customer_details',
    'payments.method_details',
    'payout_destinations.account_name',
    'payout_destinations.metadata',
    'payout_destinations.name',
    'simulated_deposits.sender_name',
    'virtual_accounts.account_name',
  ])
})

test('routing is stored only in its destination, and reasons and references only where they belong', async () => {
  assert.deepEqual(await placesOf(outMarks.routing), [
    'payout_destinations.account_name',
    'payout_destinations.account_number',
    'payout_destinations.name',
    'payout_destinations.phone_number',
    'payout_destinations.wallet_address',
  ])
  assert.deepEqual(await placesOf(outMarks.words), [
    'audit_entries.reason', // staff read in the log why something was done (decision 0052)
    'conversions.metadata',
    'conversions.reference',
    'events.body',
    'operator_actions.proof_ref',
    'operator_actions.reason',
    'payout_destinations.metadata',
    'payout_destinations.status_reason',
    'payouts.description',
    'payouts.failure_reason',
    'payouts.metadata',
    'payouts.reference',
    'review_decisions.reason',
    'reviews.decision_reason',
  ])
})

test('the history, summary, details and memo of every process hold no secret and no personal data', async () => {
  const ids = Object.keys(processes) as ProcessName[]
  const rowsOf = (process: ProcessName): string => {
    if (process === 'housekeeping' || process === 'supervisor') return `(select '${deployment.taskQueue}' as id)`
    return rowProcesses[process].begun
  }
  let events = 0
  for (const process of ids) {
    const begun = await deployment.sql<{ id: string }>(
      `select id from ${rowsOf(process)} t where not exists (select from outbox where resource_id = t.id) limit 40`,
    )
    for (const { id } of begun) {
      const handle = deployment.client.workflow.getHandle(processId(process, id))
      // A process in the middle of a step answers after that step, which may be later than the query waits.
      const query = () => handle.query<unknown>('__temporal_workflow_metadata').catch(() => null)
      let now: unknown = null
      await until(async () => (now = await query()) !== null, `${processId(process, id)} answers`)
      const [history, { raw }] = await Promise.all([handle.fetchHistory(), handle.describe()])
      events += history.events?.length ?? 0
      const text = textIn([history, raw, now])
      assert.ok(text.includes(id))
      assert.deepEqual(
        [...secrets(), ...personal, ...moneyOut].filter((mark) => holds(text, mark)),
        [],
        processId(process, id),
      )
    }
  }
  assert.ok(events > 100, `${events} events were checked`)
})

test('a receiver gets the buyer’s data, and no card number, code or secret', () => {
  const text = receiver.received.map(({ body, headers }) => body + JSON.stringify(headers)).join('\n')
  assert.ok(text.includes(person.email))
  assert.deepEqual(
    secrets().filter((mark) => holds(text, mark)),
    [],
  )
})
