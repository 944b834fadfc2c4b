import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { evidenceTextKeys } from '../../domain/dispute/evidence.ts'
import { processId } from '../../domain/processes.ts'
import { type Deployment, deploy } from '../proof/deployment.ts'
import { disputing } from '../support/dispute.ts'
import type { Merchant } from '../support/merchant.ts'
import { textIn } from '../support/texts.ts'
import { until } from '../support/until.ts'
import { pdf, sendFile } from '../support/upload.ts'

// Everything of a dispute is marked and goes through real processes, whose logs and histories are searched for it.
const mark = (what: string) => `MARKED${what}`
const email = 'marked.disputer@example.com'
const fileName = `${mark('FILE')} of Ada.pdf`
const content = Buffer.concat([pdf, Buffer.from(mark('CONTENT'))])
// The id of a payment is no secret.
const markedKeys = evidenceTextKeys.filter((key) => key !== 'duplicate_charge_id')
const evidence = Object.fromEntries(
  markedKeys.map((key) => [key, key === 'customer_email_address' ? email : mark(key.toUpperCase())]),
)

let deployment: Deployment
let merchant: Merchant
let log: () => string
const signatures: string[] = []

before(async () => {
  deployment = await deploy({ env: { LOG_LEVEL: 'trace' } })
  const worker = await deployment.startWorker()
  const api = await deployment.startApi()
  merchant = api.merchant
  log = () => worker.log() + api.log()
  await disputeEverything()
})
after(() => deployment.stop())

/** Makes a marked file a document of a dispute, and opens it by a right and by a wrong link. */
async function addDocument(id: string): Promise<string> {
  const { body: upload } = await sendFile(merchant, content, fileName)
  const added = await merchant.call('POST', `/v1/disputes/${id}/documents`, {
    file: upload['upload_id'],
    purpose: 'receipt',
  })
  assert.equal(added.status, 201, added.text)
  const url = String(added.body['url'])
  const signature = new URL(url).searchParams.get('signature') ?? ''
  signatures.push(signature)
  const local = `${merchant.baseUrl}${new URL(url).pathname}${new URL(url).search}`
  const opened = Buffer.from(await (await fetch(local)).arrayBuffer())
  assert.ok(opened.equals(content))
  assert.equal((await fetch(local.replace(signature, `${signature.slice(0, -2)}AA`))).status, 404)
  return String(added.body['document_id'])
}

async function disputeEverything(): Promise<void> {
  const calls = disputing(merchant)
  const details = { email, name: mark('NAME') }
  const sell = async () => {
    const session = await merchant.createCheckout()
    const paid = await merchant.pay(session, {
      payment_method: 'USD_CARD',
      card: calls.card('4242424242424242'),
      confirm: true,
      customer_details: details,
    })
    return String(paid.body['payment_id'])
  }
  for (const end of ['won', 'accepted', 'refused'] as const) {
    const { dispute_id: id } = await calls.raise(await sell())
    const receipt_attachment_id = await addDocument(id)
    await calls.change(id, { ...evidence, receipt_attachment_id })
    // Calls that are refused are logged too.
    await calls.tryToChange(id, { service_date: mark('LONG').repeat(5_000), receipt_attachment_id: mark('ID') })
    await calls.tryToChange(id, { service_date: `${mark('NUL')}\u0000` })
    await merchant.call('PATCH', `/v1/disputes/${id}/evidence`, `{"service_date": "${mark('BROKEN')}`)
    if (end === 'accepted') await calls.accept(id)
    else await calls.change(id, { submit: true, ...(end === 'won' && { uncategorized_text: 'winning_evidence' }) })
    if (end === 'refused') await until(async () => (await tryToWin(id)) === 200, 'the network decides')
    await calls.tryToChange(id, { service_date: mark('LOCKED'), submit: true })
    await calls.tryToAccept(id)
    await until(async () => ['won', 'lost'].includes((await calls.read(id)).status), 'the dispute has ended')
  }
}

const tryToWin = async (id: string) =>
  (await merchant.call('POST', `/v1/test-helpers/disputes/${id}/settle`, { outcome: 'won' })).status

const marks = () => ['MARKED', email, encodeURIComponent(email), ...signatures]

test('no log holds evidence, a file’s name or bytes, an address or the signature of a link', async () => {
  const text = log()
  assert.ok(text.includes('/v1/disputes/:dispute_id/evidence'), 'the logs name the calls')
  assert.deepEqual(
    marks().filter((each) => text.includes(each)),
    [],
  )
})

test('no history, memo or detail of a process holds evidence, a file’s name or an address', async () => {
  const known = await deployment.sql<{ process: string; id: string }>(
    `select 'dispute' as process, id from disputes union all select 'checkout', id from checkouts`,
  )
  let events = 0
  for (const { process, id } of known) {
    const handle = deployment.client.workflow.getHandle(processId(process as 'dispute' | 'checkout', id))
    const [history, { raw }] = await Promise.all([handle.fetchHistory(), handle.describe()])
    events += history.events?.length ?? 0
    const text = textIn([history, raw])
    assert.ok(text.includes(id))
    assert.deepEqual(
      marks().filter((each) => text.includes(each)),
      [],
      `${process}/${id}`,
    )
  }
  assert.ok(events > 60, `${events} events were searched`)
})

test('the marks are where they belong: in the disputes, their documents and their events', async () => {
  const find = async (sql: string) => (await deployment.sql<{ found: string }>(sql)).map(({ found }) => found)
  assert.equal(
    (await find(`select id as found from disputes where evidence::text like '%MARKEDSERVICE_DATE%'`)).length,
    3,
  )
  assert.equal((await find(`select id as found from documents where file_name like 'MARKEDFILE%'`)).length, 3)
  assert.ok((await find(`select id as found from events where body like '%MARKEDSERVICE_DATE%'`)).length >= 3)
  // Nothing else keeps them: not the outbox, not the timeline, not the stored answers.
  const tables = await find(`select table_name || '.' || column_name as found from information_schema.columns
    where table_schema = 'public' and data_type in ('text', 'character varying', 'jsonb', 'json')`)
  const holding: string[] = []
  for (const column of tables) {
    const [table = '', name = ''] = column.split('.')
    const rows = await deployment.sql(
      `select from "${table}" where "${name}"::text like '%MARKEDSERVICE_DATE%' limit 1`,
    )
    if (rows.length > 0) holding.push(column)
  }
  assert.deepEqual(holding.toSorted(), ['disputes.evidence', 'events.body'])
})
