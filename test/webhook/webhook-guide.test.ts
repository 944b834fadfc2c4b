import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import Koa, { type Middleware } from 'koa'
import type { WebhookEvent } from 'steadypay/webhooks'
import { signatureHeaders } from '../../activities/webhook/signature.ts'
import { evidenceTotalMax } from '../../domain/dispute/evidence.ts'
import { freePort } from '../../scripts/infra/ports.ts'
import { docBlocks } from '../support/doc-blocks.ts'
import { until } from '../support/until.ts'
import { root, vectorFile, vectors } from '../support/verify/vectors.ts'

// Runs the code that merchants copy from docs/guides/webhooks.md. It runs inside the tree, so that `koa` and
// `steadypay/webhooks` are found as in a merchant's project.
const local = join(root, '.local')
mkdirSync(local, { recursive: true })
const folder = mkdtempSync(join(local, 'webhook-guide-'))
after(() => rmSync(folder, { recursive: true }))

const page = 'docs/guides/webhooks.md'
const guide = readFileSync(join(root, page), 'utf8')

/** Writes the guide's block of a language to a file: the first one, or the one that `at` counts from 0. */
function extract(language: string, name: string, at = 0): string {
  const block = docBlocks.filter((each) => each.page === page && each.language === language)[at]
  assert.ok(block, `the guide has a block of ${language}`)
  const file = join(folder, name)
  writeFileSync(file, block.text)
  return file
}

const expected = vectors.map((vector) => ({ name: vector.name, accepted: vector.x_service }))
const agree = (accepted: boolean[]) =>
  assert.deepEqual(
    vectors.map(({ name }, index) => ({ name, accepted: accepted[index] })),
    expected,
  )

test('the guide’s JavaScript agrees with the vectors', async () => {
  type Headers = Record<string, string>
  type Secrets = (string | undefined)[]
  type IsGenuine = (headers: Headers, body: Buffer, secrets: Secrets, tolerance: number, now: number) => boolean
  const { isGenuine } = (await import(extract('js', 'verify.mjs'))) as { isGenuine: IsGenuine }
  const accepted = vectors.map((vector) => {
    const headers = Object.fromEntries(Object.entries(vector.headers).map(([name, text]) => [name.toLowerCase(), text]))
    // As in a receiver whose second secret is not set, which must neither throw nor change anything.
    const secrets = [undefined, ...vector.secrets, undefined]
    return isGenuine(headers, Buffer.from(vector.body), secrets, vector.tolerance_seconds, vector.now)
  })
  agree(accepted)
})

/** How to run the guide's block of each language, with its driver in test/support/verify/. */
const languages = [
  { name: 'Python', block: 'python', suffix: 'py', check: ['python3', '--version'], run: ['python3', 'driver.py'] },
  { name: 'Go', block: 'go', suffix: 'go', check: ['go', 'version'], run: ['go', 'run', 'driver.go', 'verify.go'] },
  { name: 'PHP', block: 'php', suffix: 'php', check: ['php', '--version'], run: ['php', 'driver.php'] },
]

const call = ([command = '', ...args]: string[]) => spawnSync(command, args, { cwd: folder, encoding: 'utf8' })
/** Why a test is skipped on this machine; false where it can run. */
const lacks = (name: string, check: string[]) => call(check).status !== 0 && `${name} is not installed`

for (const { name, block, suffix, check, run } of languages) {
  test(`${name} agrees with the vectors`, { skip: lacks(name, check) }, () => {
    extract(block, `verify.${suffix}`)
    copyFileSync(join(root, `test/support/verify/driver.${suffix}`), join(folder, `driver.${suffix}`))
    const { status, stdout, stderr } = call([...run, vectorFile])
    assert.equal(status, 0, stderr)
    agree(JSON.parse(stdout) as boolean[])
  })
}

const eventBody = '{"id":"evt_1","type":"customer.created","created_at":"2026-09-21T14:13:20.000Z","data":{ "n":1.0 }}'

/** Sends an event, or another text in its place, as a delivery does; returns the status of the answer. */
async function deliver(url: string, secret: string, text = eventBody): Promise<number> {
  const delivery = { eventId: 'evt_1', attempt: 1, sequence: 1, body: Buffer.from(eventBody), at: Date.now() }
  const headers = { 'content-type': 'application/json', ...signatureHeaders({ ...delivery, secrets: [secret] }) }
  return (await fetch(url, { method: 'POST', headers, body: text })).status
}

const serveFlask = (port: string) => ['python3', '-m', 'flask', '--app', 'receiver', 'run', '--port', port]

/** The guide's receivers in other languages. Each is its second block, and uses the first. */
const receivers = [
  { name: 'Flask', block: 'python', suffix: 'py', check: ['python3', '-c', 'import flask'], serve: serveFlask },
  {
    name: 'PHP',
    block: 'php',
    suffix: 'php',
    check: ['php', '--version'],
    serve: (port: string) => ['php', '-S', `127.0.0.1:${port}`, 'receiver.php'],
  },
]

for (const { name, block, suffix, check, serve } of receivers) {
  test(
    `the ${name} receiver answers 204 to genuine deliveries and 400 to others`,
    { skip: lacks(name, check) },
    async () => {
      extract(block, `verify.${suffix}`)
      extract(block, `receiver.${suffix}`, 1)
      const port = await freePort()
      const [command = '', ...args] = serve(String(port))
      const env = { ...process.env, WEBHOOK_SECRET: 'the-secret', WEBHOOK_SECRET_OLD: 'the-old-secret' }
      const server = spawn(command, args, { cwd: folder, env })
      let said = ''
      server.stderr.on('data', (chunk) => (said += String(chunk)))
      const url = `http://127.0.0.1:${port}/webhooks`
      const listens = () =>
        fetch(url).then(
          () => true,
          () => server.exitCode !== null,
        )
      try {
        await until(listens, 'it listens')
        assert.equal(server.exitCode, null, said)
        assert.equal(await deliver(url, 'the-secret'), 204, said)
        assert.equal(await deliver(url, 'the-old-secret'), 204, said)
        assert.equal(await deliver(url, 'the-secret-of-another'), 400, said)
        assert.equal(await deliver(url, 'the-secret', eventBody.replace('1.0', '1')), 400, said)
        assert.match(said, /customer\.created evt_1/)
      } finally {
        server.kill()
      }
    },
  )
}

test('the Koa receiver answers 204 to genuine deliveries and 400 to others', async () => {
  const taken: WebhookEvent[] = []
  type Take = (event: WebhookEvent) => Promise<void>
  const module = (await import(extract('ts', 'receiver.ts'))) as { receiveWebhook: (take: Take) => Middleware }
  const take = async (event: WebhookEvent) => void taken.push(event)
  const server = new Koa().use(module.receiveWebhook(take)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  process.env['WEBHOOK_SECRET'] = 'the-secret-of-the-guide'
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`
  try {
    assert.equal(await deliver(url, 'the-secret-of-the-guide'), 204)
    assert.equal(await deliver(url, 'the-secret-of-another'), 400)
    assert.equal(await deliver(url, 'the-secret-of-the-guide', eventBody.replace('1.0', '1')), 400)
    assert.deepEqual(taken, [JSON.parse(eventBody)])
  } finally {
    delete process.env['WEBHOOK_SECRET']
    server.closeAllConnections()
    server.close()
  }
})

test('the receivers take the largest event, which is a dispute with all the evidence that it may have', () => {
  const [, megabytes] = /express\.raw\(\{[^}]* limit: '(\d+)mb' \}\)/.exec(guide) ?? []
  const [, shift] = /http\.MaxBytesReader\(w, r\.Body, 1<<(\d+)\)/.exec(guide) ?? []
  const escapedBytes = 6 // of one character, such as \u0001
  const around = 64 * 1024
  for (const bytes of [Number(megabytes) * 2 ** 20, 2 ** Number(shift)])
    assert.ok(bytes >= evidenceTotalMax * escapedBytes + around, String(bytes))
})

test('the receiver has no type error, and the helper has the declared types', () => {
  extract('ts', 'receiver.ts')
  const settings = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: { allowJs: true, checkJs: true, skipLibCheck: false, libReplacement: false },
    include: [],
    files: [
      join(folder, 'receiver.ts'),
      join(root, 'client/verify-webhook.js'),
      join(root, 'client/verify-webhook.d.ts'),
    ],
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings))
  const { status, stdout } = call([join(root, 'node_modules/.bin/tsc'), '--project', folder])
  assert.equal(status, 0, stdout)
})
