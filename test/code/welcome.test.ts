import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { URI } from 'otpauth'
import { freePort } from '../../scripts/infra/ports.ts'
import { lastPorts, totpUri } from '../../scripts/infra/welcome.ts'
import { totpAt } from '../support/login.ts'

// What `npm start` keeps from one start to the next, and prints for people.

test('the ports of the last start are used again if they are free, and others if they are not', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'steadypay-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'dev.json')
  const none = { api: undefined, temporal: undefined, temporalUi: undefined }
  assert.deepEqual(lastPorts(file), none)
  const free = await freePort()
  const kept = { base_url: `http://127.0.0.1:${free}`, temporal_address: '127.0.0.1:7411', temporal_ui_url: null }
  writeFileSync(file, JSON.stringify(kept))
  assert.deepEqual(lastPorts(file), { api: free, temporal: 7411, temporalUi: undefined })
  assert.equal(await freePort(lastPorts(file).api), free)
  const other = createServer().listen({ port: free, host: '127.0.0.1' })
  await once(other, 'listening')
  t.after(() => other.close())
  assert.equal((other.address() as AddressInfo).port, free)
  assert.notEqual(await freePort(lastPorts(file).api), free)
  writeFileSync(file, JSON.stringify({ organization_id: 'acct_1' }))
  assert.deepEqual(lastPorts(file), none)
})

test('a port that is found free is none that this machine gives to somebody else by itself meanwhile', async () => {
  const ports = await Promise.all(Array.from({ length: 20 }, () => freePort()))
  assert.deepEqual(
    ports.filter((port) => port >= 32_768), // Linux gives out the ports from here on, and others begin higher
    [],
  )
})

test('an authenticator app that reads the printed URI shows the codes that a login accepts', () => {
  const secret = 'GMNX5WTG6OITY36DU4HLL4BFWJS477IN'
  const uri = totpUri('ada+desk@example.com', secret)
  assert.match(uri, /^otpauth:\/\/totp\/steadypay:ada%2Bdesk%40example\.com\?/)
  const app = URI.parse(uri) as { label: string; issuer: string; generate: (at: object) => string }
  assert.deepEqual([app.label, app.issuer], ['ada+desk@example.com', 'steadypay'])
  for (const timestamp of [0, 1_763_850_000_000]) assert.equal(app.generate({ timestamp }), totpAt(secret, timestamp))
})
