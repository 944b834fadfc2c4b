import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Connection } from '@temporalio/client'
import { msNumberToTs } from '@temporalio/common/lib/time.js'
import { Client } from 'pg'
import { timeLimits } from '../../db/core/time-limits.ts'
import { ROOT } from '../../scripts/infra/paths.ts'
import { endow } from '../support/conversion.ts'
import { findMoved, movedTwice } from '../support/moved-twice.ts'
import { addDestination } from '../support/payout.ts'
import { idOf, setSchedule } from '../support/payout-schedule.ts'
import { transferSale } from '../support/merchant.ts'
import { startReceiver } from '../support/receiver.ts'
import { subscriptionsOf } from '../support/subscription.ts'
import { until } from '../support/until.ts'
import { useStack } from '../support/use-stack.ts'

/** More rows than fit into a batch. */
const stranded = 600

const stack = await useStack()

/** `npm run invariants` on the stack's database. */
async function runInvariants(more: NodeJS.ProcessEnv = {}) {
  const env = { ...process.env, DATABASE_URL: stack.databaseUrl, TASK_QUEUE: stack.taskQueue, ...more }
  const child = spawn(process.execPath, ['scripts/invariants.ts'], { cwd: ROOT, env })
  const exited = new Promise<number | null>((resolve) => child.on('exit', resolve))
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), exited])
  return { out, err, violations: err.split('\n').filter((line) => line.startsWith('an unfinished row')), code }
}

test('processes are looked for in the namespace of the deployment', async () => {
  const { TEMPORAL_ADDRESS: address } = process.env
  const connection = await Connection.connect({ ...(address && { address }) })
  const namespace = `empty-${randomBytes(4).toString('hex')}`
  await connection.workflowService.registerNamespace({
    namespace,
    workflowExecutionRetentionPeriod: msNumberToTs(86_400_000),
  })
  const { checkout_id } = await stack.merchant.createCheckout()
  await stack.dispatched()
  const isLost = async () => {
    const { violations } = await runInvariants({ TEMPORAL_NAMESPACE: namespace })
    return violations.some((line) => line.includes(checkout_id))
  }
  await until(isLost, 'the process of the session is missing there', { withinMs: 60_000 })
  await connection.close()
  assert.deepEqual(await runInvariants().then(({ violations, code }) => [violations, code]), [[], 0])
})

test('a process that goes on although its row has ended is named', async () => {
  const { checkout_id: id } = await stack.merchant.createCheckout()
  await stack.dispatched()
  const end = (status: string) => stack.sql('update checkouts set status = ? where id = ?', [status, id])
  const isListed = async () => {
    const query = `WorkflowId = 'checkout/${id}' and ExecutionStatus = 'Running'`
    return (await stack.client.workflow.count(query)).count === 1
  }
  await until(isListed, 'the engine lists the process')
  assert.equal((await runInvariants()).code, 0)
  await end('cancelled')
  const { code, err } = await runInvariants()
  await end('open')
  assert.equal(code, 1)
  assert.match(err, new RegExp(`^a running process has an open row: checkout/${id} has none$`, 'm'))
})

test('short payments that have waited for over 80 hours are counted, from their newest transfer on', async () => {
  for (const [amount, hours] of [
    ['1000.00', 81],
    ['2000.00', 79],
  ] as const) {
    const { payment_id: id } = await stack.merchant.payByTransfer(await stack.merchant.createCheckout(transferSale))
    await stack.merchant.deposit(id, { amount })
    assert.equal((await stack.merchant.getPayment(id))['status'], 'underpaid')
    const posted = `update ledger_transactions set created_at = now() - make_interval(hours => ?)
      where kind = 'deposit' and source_id like ? || '/%'`
    await stack.sql(posted, [hours, id])
  }
  const held = (await runInvariants()).out.split('\n').filter((line) => line.includes('have held'))
  assert.deepEqual(held, [`${stack.organizationId}: 1 short payments have held 1000 NGN for over 80 hours`])
})

test('a statement may take longer than those of the service', async () => {
  const client = new Client({ connectionString: stack.databaseUrl })
  await client.connect()
  await client.query('begin; lock table uploads in access exclusive mode')
  const running = runInvariants()
  await sleep(timeLimits.statementMs + 6_000)
  await client.query('commit')
  await client.end()
  const { code, err } = await running
  assert.deepEqual([code, err], [0, ''])
})

test('every delivery without a process is found, not only the newest, and the rows looked at are counted', async () => {
  const receiver = await startReceiver([500])
  await stack.merchant.setWebhook(receiver.url)
  await stack.merchant.call('POST', '/api/v1/notifications/webhooks/test', {})
  await stack.dispatched()
  await until(() => receiver.received.length === 1, 'the first attempt was made')
  await until(
    async () => (await stack.sql(`select from deliveries where attempt_count = 1`)).length === 1,
    'the attempt is recorded',
  )
  const healthy = await runInvariants()
  assert.equal(healthy.code, 0)
  const [, count] = /looked at (\d+) unfinished rows/.exec(healthy.out) ?? []
  assert.ok(Number(count) >= 2, healthy.out) // the delivery and its failing endpoint

  await stack.sql(
    `insert into deliveries (id, account_id, environment, event_id, event_type, endpoint_id, status, created_at)
     select 'dlv_lost_' || g, account_id, environment, event_id, event_type, endpoint_id, 'pending',
       now() - g * interval '1 second' from deliveries, generate_series(1, ${stranded}) g`,
  )
  const found = await runInvariants()
  assert.equal(found.code, 1)
  assert.equal(found.violations.length, stranded)
  assert.ok(
    found.violations.some((line) => line.includes(`dlv_lost_${stranded} `)),
    'the oldest is among them',
  )
  assert.match(found.out, new RegExp(`looked at ${Number(count) + stranded} unfinished rows`))
  await receiver.close()
})

/** Copies a row under another id, as a second order for the same purpose would be. */
const repeat = (table: string, key: string, id: string, again: string) =>
  stack.sql(`insert into ${table} select (jsonb_populate_record(t, ?::jsonb)).* from ${table} t where ${key} = ?`, [
    JSON.stringify({ [key]: again, trace_id: again }),
    id,
  ])

test('money that has moved for one purpose by two orders is named, though a rail keeps each id once', async () => {
  const { merchant, organizationId: accountId, database, clock } = stack
  await endow({ database, clock }, accountId, '100.00', 'USD')
  const session = await merchant.createCheckout()
  const charge = String((await merchant.payByCard(session))['payment_id'])
  const { subscription_id: subscription } = await subscriptionsOf(stack).subscribe()
  const renewal = (
    await stack.sql<{ id: string }>('select id from payments where subscription_id = ?', [subscription])
  )[0]
  const { refund_id: refund } = await merchant.refund(charge, { amount: 1, reference: 'once' })
  const to = await addDestination(stack, { accountId, environment: 'sandbox' }, { currency: 'USD', scheme: 'ach' })
  const { id: payout } = await merchant.payOut(to, { amount: '10.00' })
  const ended = `select from refunds r, payouts p where r.id = ? and p.id = ?
    and r.status = 'succeeded' and p.status = 'completed'`
  await until(async () => (await stack.sql(ended, [refund, payout])).length === 1, 'both have ended')
  await setSchedule({ accountId, merchant }, 'USD', { interval: 'manual' })
  await stack.sql('update payouts set schedule_id = ? where id = ?', [idOf({ accountId, merchant }, 'USD'), payout])
  assert.deepEqual(movedTwice(await findMoved(stack)), [])

  const orders = [
    ['payments', 'simulated_charges', 'payment_id', charge],
    ['payments', 'simulated_charges', 'payment_id', renewal?.id ?? ''],
    ['refunds', 'simulated_refunds', 'refund_id', refund],
    ['payouts', 'simulated_payouts', 'payout_id', payout],
  ] as const
  for (const [table, book, key, id] of orders) {
    await repeat(table, 'id', id, `${id.slice(0, -1)}!`)
    await repeat(book, key, id, `${id.slice(0, -1)}!`)
  }
  const named = movedTwice(await findMoved(stack)).map(
    (line) => /^money moved 2 times for (the \w+|\w+)/.exec(line)?.[1],
  )
  assert.deepEqual(named.toSorted(), ['subscription_create', 'the refund', 'the run', 'the sale'])
  const { err } = await runInvariants()
  assert.match(err, /a sale keeps the whole payment of one attempt/)
  assert.match(err, /a paid invoice is paid by one payment of its total/)

  // A database that is put back has lost the rows of orders that its rails still have.
  const before = new Map([[`the sale ${session.checkout_id}`, new Set(['pay_lost'])]])
  assert.ok(
    movedTwice(await findMoved(stack, before)).some((line) =>
      line.includes(`${session.checkout_id}: pay_lost, ${charge}`),
    ),
  )
})
