import assert from 'node:assert/strict'
import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates } from 'node:tls'
import { after, test } from 'node:test'
import { ConfigError, loadDeployment, loadTemporal } from '../../engine/config.ts'
import { selfSigned } from '../support/certificate.ts'

const folder = mkdtempSync(join(tmpdir(), 'steadypay-temporal-config-'))
after(() => rmSync(folder, { recursive: true }))

const plain = { TEMPORAL_ADDRESS: 'temporal.example.com:7233' }
const overTls = { ...plain, TEMPORAL_TLS: '1' }
const { cert, key } = selfSigned('worker')
const pair = { ...overTls, TEMPORAL_TLS_CERT: cert, TEMPORAL_TLS_KEY: key }
const ownKey = createPrivateKey(key)

function problemsOf(env: NodeJS.ProcessEnv): readonly string[] {
  try {
    loadTemporal(env)
  } catch (error) {
    assert.ok(error instanceof ConfigError)
    return error.errors
  }
  return []
}

/** The client's certificate and key as the connections get them. */
function pairOf(env: NodeJS.ProcessEnv) {
  const { tls } = loadTemporal(env).temporal
  assert.ok(tls && tls.clientCertPair)
  return { crt: String(tls.clientCertPair.crt), key: String(tls.clientCertPair.key) }
}

test('Temporal is reached without TLS unless it is asked for, and then by what is configured', () => {
  assert.deepEqual(loadTemporal(plain), {
    temporal: { address: plain.TEMPORAL_ADDRESS, tls: false },
    temporalNamespace: 'default',
  })
  const more = { TEMPORAL_TLS_CA: cert, TEMPORAL_TLS_SERVER_NAME: 'other.example.com', TEMPORAL_API_KEY: 'a.b-c' }
  assert.deepEqual(loadDeployment({ ...pair, ...more, TEMPORAL_NAMESPACE: 'pay.a1b2c' }), {
    temporal: {
      address: plain.TEMPORAL_ADDRESS,
      tls: {
        serverRootCACertificate: Buffer.from(cert),
        serverNameOverride: 'other.example.com',
        clientCertPair: { crt: Buffer.from(cert), key: Buffer.from(key) },
      },
      apiKey: 'a.b-c',
    },
    temporalNamespace: 'pay.a1b2c',
    taskQueue: 'steadypay',
    webhookTaskQueue: 'steadypay-webhooks',
    deploymentName: 'steadypay',
  })
})

test('without TEMPORAL_TLS_CA clients and workers trust the same authorities: those of Node', () => {
  const { tls } = loadTemporal(overTls).temporal
  assert.ok(tls && tls.serverRootCACertificate)
  assert.equal(String(tls.serverRootCACertificate), getCACertificates('default').join('\n'))
})

test('a certificate or a key may be in a file, as each variable, with any line ends', () => {
  const files = Object.entries({ TEMPORAL_TLS_CERT: cert, TEMPORAL_TLS_KEY: key }).map(([name, pem]) => {
    const file = join(folder, name)
    writeFileSync(file, `\n${pem}\n\n`)
    return [`${name}_FILE`, file]
  })
  assert.deepEqual(pairOf({ ...overTls, ...Object.fromEntries(files) }), { crt: cert.trim(), key: key.trim() })
  for (const lineEnd of ['\r\n', '\\n', '\\r\\n']) {
    const given = { TEMPORAL_TLS_CERT: cert.replaceAll('\n', lineEnd), TEMPORAL_TLS_KEY: key.replaceAll('\n', lineEnd) }
    assert.deepEqual(problemsOf({ ...overTls, ...given }), [], JSON.stringify(lineEnd))
  }
  const oneLine = { TEMPORAL_TLS_CERT: cert.replaceAll('\n', '\\n'), TEMPORAL_TLS_KEY: key.replaceAll('\n', '\\n') }
  assert.deepEqual(pairOf({ ...overTls, ...oneLine }), { crt: cert, key })
})

test('several certificates may follow each other, with comments between them', () => {
  const several = `# ours\n${cert}\n\n# theirs\n${selfSigned('other').cert}\n`
  assert.deepEqual(problemsOf({ ...pair, TEMPORAL_TLS_CA: several, TEMPORAL_TLS_CERT: several }), [])
})

test('what is no certificate is refused in words that do not repeat it', () => {
  const bad = '-----BEGIN CERTIFICATE-----\nbWFya2Vy\n-----END CERTIFICATE-----\n'
  const wrong = {
    marker: 'it has no line -----BEGIN CERTIFICATE-----',
    [key]: 'it must hold certificates only',
    [cert + key]: 'it must hold certificates only',
    [cert.slice(0, 300)]: 'it is cut off, or its line ends are lost',
    [cert + bad]: 'certificate 2 of 2 cannot be read',
    [cert.replaceAll('\n', ' ')]: 'certificate 1 of 1 cannot be read',
  }
  for (const [given, why] of Object.entries(wrong))
    for (const name of ['TEMPORAL_TLS_CA', 'TEMPORAL_TLS_CERT'])
      assert.deepEqual(problemsOf({ ...pair, [name]: given }), [`${name} must be certificates in PEM: ${why}`])
})

test('a key of a kind that the workers can use is taken, in both forms of PEM', () => {
  const sec1 = String(ownKey.export({ type: 'sec1', format: 'pem' }))
  const parameters = '-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n'
  for (const given of [sec1, parameters + sec1]) assert.deepEqual(problemsOf({ ...pair, TEMPORAL_TLS_KEY: given }), [])
  // They are of no kind that is refused, but not the certificate's.
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  const others = [
    rsa.export({ type: 'pkcs8', format: 'pem' }),
    rsa.export({ type: 'pkcs1', format: 'pem' }),
    generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }),
    generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey.export({ type: 'sec1', format: 'pem' }),
  ]
  for (const given of others)
    assert.deepEqual(problemsOf({ ...pair, TEMPORAL_TLS_KEY: String(given) }), [
      'TEMPORAL_TLS_KEY must be the key of TEMPORAL_TLS_CERT',
    ])
})

test('a key that is encrypted, or that the workers cannot use, is refused in words that do not repeat it', () => {
  const secret = { format: 'pem', cipher: 'aes-256-cbc', passphrase: 'p' } as const
  const encrypted = 'it is encrypted; openssl pkey -in encrypted.pem -out key.pem writes it without a passphrase'
  const kinds = 'it must be of RSA with 2048 bits or more, of the curves P-256 or P-384, or of Ed25519'
  const ofKind = (pem: string | Buffer) => [String(pem), kinds]
  const wrong = Object.fromEntries([
    [String(ownKey.export({ type: 'pkcs8', ...secret })), encrypted],
    [String(ownKey.export({ type: 'sec1', ...secret })), encrypted],
    ofKind(generateKeyPairSync('ec', { namedCurve: 'P-521' }).privateKey.export({ type: 'pkcs8', format: 'pem' })),
    ofKind(generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey.export({ type: 'pkcs8', format: 'pem' })),
    ['marker', 'it has no line -----BEGIN PRIVATE KEY-----'],
    [cert, 'it has no line -----BEGIN PRIVATE KEY-----'],
    [key + key, 'it holds more than one key'],
    [key.slice(0, 60), 'it is cut off, or its line ends are lost'],
    [key.replaceAll('\n', ' '), 'it cannot be read'],
  ] as [string, string][])
  for (const [given, why] of Object.entries(wrong))
    assert.deepEqual(problemsOf({ ...pair, TEMPORAL_TLS_KEY: given }), [
      `TEMPORAL_TLS_KEY must be a private key in PEM: ${why}`,
    ])
})

test('variables that do not fit each other stop the start, and so does what would be sent in plain text', () => {
  assert.deepEqual(problemsOf({ ...pair, TEMPORAL_TLS_KEY: '' }), [
    'TEMPORAL_TLS_CERT and TEMPORAL_TLS_KEY must be set together',
  ])
  assert.deepEqual(problemsOf({ ...pair, TEMPORAL_TLS: '0', TEMPORAL_API_KEY: 'marker' }), [
    'TEMPORAL_TLS_CERT needs TEMPORAL_TLS=1',
    'TEMPORAL_TLS_KEY needs TEMPORAL_TLS=1',
    'TEMPORAL_API_KEY needs TEMPORAL_TLS=1',
  ])
  assert.deepEqual(problemsOf({ ...overTls, TEMPORAL_API_KEY: 'mar ker' }), [
    'TEMPORAL_API_KEY must be printable characters without spaces',
  ])
  for (const TEMPORAL_ADDRESS of ['10.0.0.5:7233', '[fd00::5]:7233']) {
    assert.match(problemsOf({ ...overTls, TEMPORAL_ADDRESS }).join(), /^TEMPORAL_TLS_SERVER_NAME is missing; /)
    assert.deepEqual(problemsOf({ ...overTls, TEMPORAL_ADDRESS, TEMPORAL_TLS_SERVER_NAME: 'temporal' }), [])
  }
  assert.equal(problemsOf({ ...overTls, TEMPORAL_TLS_SERVER_NAME: '10.0.0.5' }).length, 1)
})
