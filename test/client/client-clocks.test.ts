import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { shortTime } from '../../client/output.ts'
import { newId } from '../../domain/id.ts'
import { ROOT } from '../../scripts/infra/paths.ts'
import { runClient, startFakeApi } from '../support/client.ts'
import { beginOnClock } from '../support/test-clock.ts'
import { useApi, useStack } from '../support/use-stack.ts'
import { atEnd } from '../support/use.ts'

// What `npx steadypay clocks advance` and `scenario run` print of the real service.
const stack = await useStack({ invariants: 'at the end' })
const api = await useApi(stack)
const folder = mkdtempSync(join(tmpdir(), 'scenarios-'))
atEnd(() => rmSync(folder, { recursive: true }))
const newFile = () => join(folder, `${newId('call', 0)}.json`)
const run = ({ apiKey }: { apiKey: string }, ...args: string[]) =>
  runClient(stack.baseUrl, args, { STEADYPAY_API_KEY: apiKey })

test('clocks advance shows the clock and what has happened, a line each', async () => {
  const { merchant, clock, attach } = await beginOnClock(api)
  const session = await merchant.createCheckout()
  await attach({ checkout_id: session.checkout_id })
  const { code, stdout, stderr } = await run(merchant, 'clocks', 'advance', clock.clock_id, '--by', 'PT2H')
  assert.equal(code, 0, stderr)
  const later = new Date(Date.parse(clock.frozen_time) + 7_200_000).toISOString()
  assert.deepEqual(
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/ {2,}/)),
    [
      [clock.clock_id, `${shortTime(later)} UTC`],
      [''],
      ['time (UTC)', 'resource', 'step', 'actor'],
      [shortTime(session.expires_at), session.checkout_id, 'expired', 'system'],
    ],
  )
  const to = new Date(Date.parse(later) + 1_000).toISOString()
  const json = await run(merchant, 'clocks', 'advance', clock.clock_id, '--to', to, '--json')
  const { frozen_time, happened } = JSON.parse(json.stdout) as { frozen_time: string; happened: object[] }
  assert.deepEqual([frozen_time, happened], [to, []])
  const back = await run(merchant, 'clocks', 'advance', clock.clock_id, '--to', clock.frozen_time)
  assert.equal(back.code, 1)
  assert.match(back.stderr, /the clock can only be advanced, from .+ \(CONFLICT\)/)
  const none = await run(merchant, 'clocks', 'advance', newId('clk', 0), '--by', 'P1D')
  assert.match(none.stderr, /no such test clock \(NOT_FOUND\)/)
})

test('scenario run shows the steps, the events and what has happened', async () => {
  const { merchant } = await api.addMerchant()
  const file = join(ROOT, 'docs/scenarios/declined-then-paid.json')
  const { code, stdout, stderr } = await run(merchant, 'scenario', 'run', file)
  assert.equal(code, 0, stderr)
  assert.match(stdout, /^clk_\w{34} {2}2030-01-01 00:05:00 UTC\n\nstep {2}kind +status +time \(UTC\)\n0 +create +done/)
  assert.match(stdout, /\n2030-01-01 00:05:00 {2}checkout\.completed +chk_\w{34}\n/)
  assert.match(stdout, /\n2030-01-01 00:00:00 {2}pay_\w{34} {2}failed +rail +card_declined\n/)
  const [one, two] = [
    await run(merchant, 'scenario', 'run', file, '--json'),
    await run(merchant, 'scenario', 'run', file, '--json'),
  ]
  assert.equal(one.stdout, two.stdout)
  assert.equal((JSON.parse(one.stdout) as { events: object[] }).events.length, 3)
})

test('a step that fails ends the command with 1 and is named, as is a wrong step', async () => {
  const { merchant } = await api.addMerchant()
  const file = newFile()
  const create = { create: { amount: '25.00', currency: 'USD' } }
  writeFileSync(file, JSON.stringify({ steps: [create, { refund: {} }, { pay: {} }] }))
  const failed = await run(merchant, 'scenario', 'run', file)
  assert.equal(failed.code, 1)
  assert.match(
    failed.stdout,
    /\n1 +refund +failed .+CONFLICT\n2 +pay +skipped\n\nNo events\.\n\nNothing has happened\./,
  )
  assert.match(failed.stderr, /Step 1 \(refund\) failed: there is no payment that could be refunded \(CONFLICT\)/)
  const json = await run(merchant, 'scenario', 'run', file, '--json')
  assert.equal((JSON.parse(json.stdout) as { steps: { status: string }[] }).steps[1]?.status, 'failed')
  assert.equal((JSON.parse(json.stderr) as { error_code: string }).error_code, 'CONFLICT')
  writeFileSync(file, JSON.stringify({ steps: [create, { wait: 'tomorrow' }] }))
  const wrong = await run(merchant, 'scenario', 'run', file)
  assert.equal(wrong.code, 1)
  assert.match(wrong.stderr, /\(VALIDATION_ERROR\)\n {4}steps\.1\.wait: /)
})

test('a file that is no scenario, and a clock without or with two ways to advance, make no call', async () => {
  const fake = await startFakeApi()
  const file = newFile()
  for (const text of ['', '[]', '"a"', '{']) {
    writeFileSync(file, text)
    const { code, stderr } = await runClient(fake.baseUrl, ['scenario', 'run', file])
    assert.equal(code, 1)
    assert.match(stderr, /holds no JSON object/)
  }
  const missing = await runClient(fake.baseUrl, ['scenario', 'run', `${file}.none`])
  assert.equal(missing.code, 1)
  assert.match(missing.stderr, /cannot be read \(ENOENT\)/)
  assert.equal((await runClient(fake.baseUrl, ['clocks', 'advance', newId('clk', 0)])).code, 2)
  const both = ['--by', 'P1D', '--to', '2030-01-31T00:00:00Z']
  assert.equal((await runClient(fake.baseUrl, ['clocks', 'advance', newId('clk', 0), ...both])).code, 2)
  assert.deepEqual(fake.calls, [])
  await fake.close()
})
