import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { PeerCertificate } from 'node:tls'
import { tlsOf, wrongTls } from '../../db/core/tls.ts'
import { openDatabase } from '../../db/open-database.ts'

const folder = mkdtempSync(join(tmpdir(), 'steadypay-tls-'))
after(() => rmSync(folder, { recursive: true }))
const file = join(folder, 'ca.crt')
writeFileSync(file, 'an authority')

const sslRequest = '0000000804d2162f' // https://www.postgresql.org/docs/18/protocol-message-formats.html
const certificate = { subject: { CN: 'db.example.com' }, subjectaltname: 'DNS:db.example.com' } as PeerCertificate

test('with sslmode nothing is sent to a database before the connection is encrypted', async () => {
  const first: string[] = []
  const server = createServer((socket) => {
    socket.on('data', (data) => {
      first.push(data.toString('hex'))
      socket.write('N') // this server has no TLS
    })
    socket.on('error', () => undefined)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  try {
    const { port } = server.address() as AddressInfo
    for (const mode of ['require', 'verify-ca', 'verify-full']) {
      const { orm } = await openDatabase(`postgres://u:p@127.0.0.1:${port}/x?sslmode=${mode}`, 1)
      await assert.rejects(orm.em.fork().execute('select 1'), /does not support SSL/)
      await orm.close()
    }
    assert.deepEqual(first, [sslRequest, sslRequest, sslRequest])
  } finally {
    server.close()
  }
})

test('sslmode says what of the certificate is checked, as psql does it', () => {
  const of = (query: string, host = 'db.example.com') => tlsOf(`postgres://u:p@${host}:5432/x?${query}`)
  assert.deepEqual([of(''), of('sslmode=disable')], [undefined, false])
  assert.deepEqual(of('sslmode=require'), { rejectUnauthorized: false })
  for (const mode of ['require', 'verify-ca', 'verify-full']) {
    const tls = of(`sslmode=${mode}&sslrootcert=${file}`, '127.0.0.1')
    assert.ok(tls && tls.ca === 'an authority' && tls.rejectUnauthorized === undefined)
    const refused = tls.checkServerIdentity?.('localhost', certificate)
    assert.equal(refused instanceof Error, mode === 'verify-full', mode)
  }
  const full = of('sslmode=verify-full')
  assert.ok(full && full.checkServerIdentity?.('localhost', certificate) === undefined)
})

test('an sslmode that cannot be kept is refused, and so are files that cannot be used', () => {
  const wrong = (query: string) => wrongTls(`postgres://u:p@h/x?${query}`)
  assert.deepEqual(
    [wrong(''), wrong('sslmode=require'), wrong('sslmode=verify-full&sslrootcert=system')],
    [null, null, null],
  )
  for (const mode of ['prefer', 'allow', 'on', ''])
    assert.match(wrong(`sslmode=${mode}`) ?? '', /must be one of disable/)
  assert.match(wrong('sslmode=verify-ca&sslrootcert=/none') ?? '', /readable file \(ENOENT\)/)
  assert.match(wrong('sslmode=require&sslcert=/c&sslkey=/k') ?? '', /not supported/)
})
