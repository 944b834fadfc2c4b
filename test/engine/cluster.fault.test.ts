import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { haproxy } from '../../scripts/infra/load-balancer.ts'
import { ROOT } from '../../scripts/infra/paths.ts'
import { freePort } from '../../scripts/infra/ports.ts'
import { cachedServer } from '../../scripts/infra/temporal-server.ts'
import { makeSale, newTally, runMany } from '../proof/buyers.ts'
import { endpointsPath } from '../support/endpoints.ts'
import { createMerchant } from '../support/merchant.ts'
import { startReceiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'
import { use } from '../support/use.ts'

// `npm run cluster`: the processes of a deployment, as a merchant meets them behind the load balancer.
const programs = cachedServer()
const skip = whyNot()

/** A test does not build the server: that takes minutes. */
function whyNot(): string | false {
  if (programs === null) return 'the Temporal server is not built yet: npm run cluster builds it, once'
  return haproxy() === null && 'HAProxy is not installed (package haproxy)'
}

const patience = { withinMs: 600_000, everyMs: 250 } // twelve processes start, perhaps on a busy machine
const cluster = skip === false ? await use(start, (started) => started.end()) : null

async function start() {
  const folder = mkdtempSync(join(tmpdir(), 'steadypay-cluster-'))
  const command = ['scripts/cluster.ts', '--data', folder]
  const env = { ...process.env, PORT: String(await freePort()) }
  const child = spawn(process.execPath, command, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const exited = once(child, 'exit')
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
  }
  const isOver = () => child.exitCode !== null
  const stop = async () => {
    if (!isOver()) child.kill('SIGINT')
    return ((await exited) as [number | null])[0]
  }
  const end = async () => {
    await stop()
    rmSync(folder, { recursive: true, force: true })
  }
  await until(() => said.includes('Ready after') || isOver(), 'the cluster is ready', patience)
  if (isOver()) return assert.fail(`the cluster did not start: ${said}`)
  const kept = JSON.parse(readFileSync(join(folder, 'dev.json'), 'utf8')) as { base_url: string; api_key: string }
  return {
    merchant: createMerchant(kept.base_url, kept.api_key),
    said: () => said,
    log: (name: string) => readFileSync(join(folder, 'logs', `${name}.log`), 'utf8'),
    /** As printed at the start. */
    pids: () => new Map([...said.matchAll(/^ {4}(\d+) +(.+)$/gm)].map(([, pid, name = '']) => [name, Number(pid)])),
    /** Of the processes that run now. */
    children: () =>
      spawnSync('pgrep', ['-P', String(child.pid)], { encoding: 'utf8' })
        .stdout.trim()
        .split('\n')
        .map(Number),
    stop,
    end,
  }
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('a sale through the load balancer ends, its webhook arrives, and both APIs take part', { skip }, async (t) => {
  assert.ok(cluster)
  const receiver = await startReceiver()
  t.after(receiver.close)
  const { merchant, log } = cluster
  const endpoint = await merchant.call('POST', endpointsPath, { url: receiver.url })
  assert.equal(endpoint.status, 201, endpoint.text)
  const tally = newTally()
  await runMany(6, 3, async (n) => void (await makeSale(merchant, n, tally)))
  assert.deepEqual(tally.errors, [])
  await until(() => receiver.types().includes('checkout.completed'), 'the webhook of a sale arrives', patience)
  for (const api of ['api-1', 'api-2']) assert.match(log(api), /\/v1\/checkout-sessions/, `${api} has taken calls`)
})

test(
  'sales go on while an API, a worker and half of the history are killed; each is started again',
  { skip },
  async () => {
    assert.ok(cluster)
    const { merchant, pids, said } = cluster
    const tally = newTally()
    const selling = runMany(12, 3, async (n) => void (await makeSale(merchant, n, tally)))
    const killed = ['api-1', 'money-1', "Temporal's history-1"]
    for (const name of killed) process.kill(pids().get(name) ?? assert.fail(`${name} is not listed`), 'SIGKILL')
    await selling
    const others = tally.errors.filter((error) => !/: 502 /.test(error))
    assert.deepEqual(others, [], 'a call that the killed API had taken is answered 502, and repeated; nothing else')
    for (const name of killed) assert.match(said(), new RegExp(`${name} has ended \\(SIGKILL\\) and is started again`))
    const after = newTally()
    await makeSale(merchant, 0, after)
    assert.deepEqual(after.errors, [])
  },
)

test("Temporal's server knows every setting of our dynamic configuration", { skip }, () => {
  const file = join(ROOT, 'deploy/temporal/dynamic-config.yaml')
  const { status, stdout } = spawnSync(programs?.server ?? '', ['validate-dynamic-config', file], { encoding: 'utf8' })
  assert.equal(status, 0)
  assert.doesNotMatch(stdout, /error|warning/)
})

test('Ctrl-C stops every process', { skip }, async () => {
  assert.ok(cluster)
  const running = cluster.children()
  assert.equal(running.length, 12, 'Postgres, five of Temporal, three workers, two APIs, and the load balancer')
  assert.equal(await cluster.stop(), 130)
  assert.deepEqual(running.filter(isAlive), [])
})
