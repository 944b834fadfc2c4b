import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import Koa, { type Middleware } from 'koa'
import type { WebhookEvent } from 'steadypay/webhooks'
import { signatureHeaders } from '../../activities/webhook/signature.ts'
import { evidenceTotalMax } from '../../domain/dispute/evidence.ts'
import { root, vectorFile, vectors } from '../support/verify/vectors.ts'

// Runs the code that merchants copy from docs/guides/webhooks.md. It runs inside the tree, so that `koa` and
// `steadypay/webhooks` are found as in a merchant's project.
const local = join(root, '.local')
mkdirSync(local, { recursive: true })
const folder = mkdtempSync(join(local, 'webhook-guide-'))
after(() => rmSync(folder, { recursive: true }))

const guide = readFileSync(join(root, 'docs/guides/webhooks.md'), 'utf8')

/** Writes the guide's first block of a language to a file. */
function extract(language: string, name: string): string {
  const code = new RegExp(`^\`\`\`${language}\n([\\s\\S]+?)^\`\`\`$`, 'm').exec(guide)?.[1]
  assert.ok(code, `the guide has a block of ${language}`)
  const file = join(folder, name)
  writeFileSync(file, code)
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

// Only the languages that this machine can run; the others have no test here.
for (const { name, block, suffix, run } of languages.filter(({ check }) => call(check).status === 0)) {
  test(`${name} agrees with the vectors`, () => {
    extract(block, `verify.${suffix}`)
    copyFileSync(join(root, `test/support/verify/driver.${suffix}`), join(folder, `driver.${suffix}`))
    const { status, stdout, stderr } = call([...run, vectorFile])
    assert.equal(status, 0, stderr)
    agree(JSON.parse(stdout) as boolean[])
  })
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
  const body = '{"id":"evt_1","type":"customer.created","created_at":"2026-09-21T14:13:20.000Z","data":{ "n":1.0 }}'
  const send = async (secret: string, text: string) => {
    const delivery = { eventId: 'evt_1', attempt: 1, sequence: 1, body: Buffer.from(body), at: Date.now() }
    const headers = { 'content-type': 'application/json', ...signatureHeaders({ ...delivery, secrets: [secret] }) }
    return (await fetch(url, { method: 'POST', headers, body: text })).status
  }
  try {
    assert.equal(await send('the-secret-of-the-guide', body), 204)
    assert.equal(await send('the-secret-of-another', body), 400)
    assert.equal(await send('the-secret-of-the-guide', body.replace('1.0', '1')), 400)
    assert.deepEqual(taken, [JSON.parse(body)])
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
