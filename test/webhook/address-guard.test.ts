import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import http from 'node:http'
import https from 'node:https'
import net from 'node:net'
import { networkInterfaces } from 'node:os'
import { test, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { lookUpPublicAddress } from '../../activities/webhook/address-guard.ts'
import { isPublicAddress } from '../../domain/webhook/receiver-url.ts'
import { createWebhookHttp, type WebhookHttpOptions } from '../../activities/webhook/http.ts'
import { selfSigned } from '../support/certificate.ts'

/** In the range of global unicast but never assigned, so nothing answers there and no test reaches a real host. */
const nowhere = '3000::1'

function sender(t: TestContext, options: Partial<WebhookHttpOptions> = {}) {
  const webhooks = createWebhookHttp({ allowLoopback: false, timeoutMs: 2_000, ...options })
  t.after(() => webhooks.close())
  return {
    ...webhooks,
    send: (url: string) => webhooks.send({ url, headers: async () => ({}), body: Buffer.from('{}') }),
  }
}

async function listen(t: TestContext, server: net.Server, host = '127.0.0.1') {
  const seen = { connections: 0, closed: 0, bytes: 0 }
  const sockets: net.Socket[] = []
  server.on('connection', (socket) => {
    seen.connections += 1
    sockets.push(socket)
    socket.on('error', () => {}).on('data', (chunk) => (seen.bytes += chunk.length))
    socket.on('close', () => (seen.closed += 1))
  })
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  await once(server.listen(0, host), 'listening')
  return { seen, port: (server.address() as net.AddressInfo).port }
}

/** Listeners on the loopback addresses of this machine. */
async function listenAtHome(t: TestContext): Promise<[Listener, ...Listener[]]> {
  const has6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'))
  const more = has6 ? [await listen(t, net.createServer(), '::1')] : []
  return [await listen(t, net.createServer()), ...more]
}

type Listener = Awaited<ReturnType<typeof listen>>

const thanks: http.RequestListener = (_, response) => void response.end('thanks')

const blockedHosts = `
  127.0.0.1 127.9.9.9 0.0.0.0 10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 100.64.0.1 169.254.169.254
  168.63.129.16 100.100.100.200 192.0.0.192 198.18.0.1 203.0.113.7 192.0.2.1 224.0.0.1 240.0.0.1 255.255.255.255
  2130706433 0x7f000001 0x7f.1 0177.0.0.1 127.1 0 １２７.0.0.1 127.0.0.1. [::] [::1] [fe80::1] [fec0::1] [fc00::1]
  [fd00:ec2::254] [ff02::1] [::ffff:127.0.0.1] [::ffff:8.8.8.8] [::127.0.0.1] [::8.8.8.8] [::ffff:0:8.8.8.8]
  [64:ff9b::7f00:1] [64:ff9b::8.8.8.8] [64:ff9b:1::1] [2002:7f00:1::] [2001:0:1::1] [2001:db8::1] [100::1]
  [3fff::1] [5f00::1] [4000::1] 0.1.2.3 169.254.170.2 192.88.99.1 2852039166 167772161 0xa9fea9fe 0xa9.0xfe.0xa9.0xfe
  017700000001 127.0.1 %31%32%37.0.0.1 0x7f.0.0.1. [0:0:0:0:0:0:0:1] [::ffff:7f00:1] [::ffff:a9fe:a9fe]
  [::ffff:10.0.0.1] [64:ff9b::a00:1] [64:ff9b::169.254.169.254] [2002:a9fe:a9fe::1] [2001:2::1] [2001:10::1]
  [2001:20::1] localhost LOCALHOST. api.localhost printer.local metadata.google.internal
  router.home.arpa
`

for (const host of blockedHosts.trim().split(/\s+/)) {
  test(`https://${host} is refused when it is configured and when something is sent to it`, async (t) => {
    const { checkUrl, send } = sender(t, { lookup: () => assert.fail('no name may be looked up') })
    assert.equal(checkUrl(`https://${host}/hook`), 'blocked_address')
    assert.partialDeepStrictEqual(await send(`https://${host}/hook`), {
      responseStatus: null,
      error: 'blocked_address',
    })
  })
}

test('a URL is accepted, or refused with its reason', (t) => {
  const { checkUrl } = sender(t)
  const errors: [string, string | null][] = [
    ['https://merchant.example/hooks?a=1', null],
    ['https://merchant.example:8443', null],
    ['https://8.8.8.8/', null],
    ['https://[2606:4700::1111]/', null],
    ['HTTPS://MÜNCHEN.example', null],
    ['http://merchant.example', 'https_required'],
    ['http://127.0.0.1', 'https_required'],
    ['ftp://merchant.example', 'https_required'],
    ['file:///etc/passwd', 'https_required'],
    ['javascript:alert(1)', 'https_required'],
    ['https://user@merchant.example', 'user_info'],
    ['https://:secret@merchant.example', 'user_info'],
    ['merchant.example', 'invalid_url'],
    ['', 'invalid_url'],
    ['https://', 'invalid_url'],
    ['https://1.2.3.4.5', 'invalid_url'],
    [`https://merchant.example/${'a'.repeat(2_023)}`, null],
    [`https://merchant.example/${'a'.repeat(2_024)}`, 'url_too_long'],
  ]
  for (const [url, error] of errors) assert.equal(checkUrl(url), error, url)
})

test('no spelling of a loopback address, with or without user info, reaches a listener there', async (t) => {
  const homes = await listenAtHome(t)
  const { checkUrl, send } = sender(t, { lookup: () => assert.fail('no name may be looked up') })
  const hosts = blockedHosts.trim().split(/\s+/)
  const urls = homes.flatMap(({ port }) =>
    hosts.flatMap((host) => ['', 'user@', 'user:word@', 'merchant.example%40'].map((who) => `${who}${host}:${port}`)),
  )
  for (const rest of urls) {
    for (const scheme of ['https', 'http']) {
      const error = checkUrl(`${scheme}://${rest}/hook`)
      assert.notEqual(error, null, rest)
      assert.equal((await send(`${scheme}://${rest}/hook`)).error, error, rest)
    }
  }
  for (const { seen } of homes) assert.equal(seen.connections, 0)
})

test('in development three spellings of loopback are allowed, and no other private address', async (t) => {
  const { port } = await listen(t, http.createServer(thanks))
  const { checkUrl, send } = sender(t, { allowLoopback: true, lookup: async () => ['127.0.0.1'] })
  assert.equal((await send(`http://127.0.0.1:${port}`)).error, null)
  assert.equal((await send(`http://localhost:${port}`)).error, null)
  assert.equal(checkUrl('http://[::1]:9000/'), null)
  for (const host of ['127.0.0.2', '0.0.0.0', '10.0.0.1', '[::ffff:127.0.0.1]', 'api.localhost', 'merchant.example']) {
    assert.notEqual(checkUrl(`http://${host}:${port}`), null)
  }
  assert.equal(checkUrl('https://10.0.0.1'), 'blocked_address')
  assert.equal((await send(`https://merchant.example:${port}`)).error, 'blocked_address')
})

test('a name is refused when any of its addresses is private, whatever the order', async (t) => {
  const { seen, port } = await listen(t, net.createServer())
  const private4 = [
    '127.0.0.1',
    '10.1.2.3',
    '169.254.169.254',
    '::1',
    '::ffff:127.0.0.1',
    '64:ff9b::7f00:1',
    'fe80::1%lo',
  ]
  for (const address of [...private4, 'not an address', '0x7f.1']) {
    for (const answer of [[address], [nowhere, address], [address, nowhere]]) {
      const { send } = sender(t, { lookup: async () => answer })
      assert.equal((await send(`https://merchant.example:${port}`)).error, 'blocked_address', String(answer))
    }
  }
  assert.equal(seen.connections, 0)
})

test('a name that turns private after its first answer never reaches the private listener', async (t) => {
  const { seen, port } = await listen(t, net.createServer())
  let lookups = 0
  const lookup = async () => (++lookups === 1 ? [nowhere] : ['127.0.0.1'])
  const { send } = sender(t, { lookup, timeoutMs: 300 })
  const first = await send(`https://merchant.example:${port}`)
  assert.ok(first.error === 'unreachable' || first.error === 'timeout', String(first.error))
  assert.equal(lookups, 1, 'one lookup per connection: the address that was checked is the one that is connected to')
  assert.equal((await send(`https://merchant.example:${port}`)).error, 'blocked_address')
  assert.equal(seen.connections, 0)
})

test('a thousand names that change their addresses between and within answers never reach loopback', async (t) => {
  const homes = await listenAtHome(t)
  const [home] = homes
  const plans: string[][][] = [
    [[nowhere], ['127.0.0.1']],
    [[nowhere], ['::1']],
    [[nowhere], [nowhere, '127.0.0.1'], ['127.0.0.1', nowhere]],
    [['127.0.0.1'], [nowhere], ['::1']],
    [[nowhere], ['::ffff:127.0.0.1'], ['64:ff9b::7f00:1']],
    [[], [nowhere], ['0.0.0.0'], ['::']],
    [
      [nowhere, nowhere],
      ['127.0.0.1', '::1'],
    ],
    [['::1', nowhere], [nowhere], ['127.0.0.2']],
  ]
  const tries = 1_000
  const left = new Map<string, string[][]>()
  let lookups = 0
  const lookup = async (host: string) => {
    lookups += 1
    return left.get(host)?.shift() ?? ['127.0.0.1']
  }
  const { send } = sender(t, { lookup, timeoutMs: 300 })
  const reasons = new Set<string | null>()
  let sent = 0
  const rebind = async (n: number) => {
    const plan = plans[n % plans.length] ?? []
    const host = `rebind-${n}.example`
    left.set(host, [...plan])
    const { port } = homes[n % homes.length] ?? home
    for (let step = 0; step <= plan.length; step++, sent++) reasons.add((await send(`https://${host}:${port}`)).error)
  }
  for (let n = 0; n < tries; n += 100) await Promise.all(Array.from({ length: 100 }, (_, at) => rebind(n + at)))
  assert.equal(lookups, sent, 'one lookup per connection, so no second answer can differ')
  for (const { seen } of homes) assert.equal(seen.connections, 0)
  assert.ok(reasons.has('blocked_address') && !reasons.has(null))

  await sender(t, { allowLoopback: true, timeoutMs: 300 }).send(`https://localhost:${home.port}`)
  assert.equal(home.seen.connections, 1, 'the listener would have noticed')
})

test('a socket that ends up at a private address is closed before a byte is sent', async (t) => {
  const { seen, port } = await listen(t, net.createServer())
  const connect = net.connect
  t.mock.method(net, 'connect', () => connect({ host: '127.0.0.1', port }))
  const { send } = sender(t, { lookup: async () => [nowhere] })
  assert.equal((await send(`https://merchant.example:${port}`)).error, 'blocked_address')
  assert.partialDeepStrictEqual(seen, { connections: 1, bytes: 0 })
})

test('a certificate without a trusted issuer is refused, whatever the environment says', async (t) => {
  const { port } = await listen(t, https.createServer(selfSigned('localhost'), thanks))
  process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0'
  t.after(() => delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'])
  const attempt = await sender(t, { allowLoopback: true }).send(`https://localhost:${port}`)
  assert.partialDeepStrictEqual(attempt, { responseStatus: null, responseBody: null, error: 'tls' })
})

test('a trusted certificate is accepted for its own name only', async (t) => {
  const certificate = selfSigned('localhost')
  const { port } = await listen(t, https.createServer(certificate, thanks))
  const { send } = sender(t, { allowLoopback: true, ca: certificate.cert })
  assert.partialDeepStrictEqual(await send(`https://localhost:${port}`), { responseStatus: 200, error: null })
  assert.equal((await send(`https://127.0.0.1:${port}`)).error, 'tls')
})

test('a TLS connection to a receiver of plain HTTP, or to a silent one, fails with its reason', async (t) => {
  const plain = await listen(t, http.createServer(thanks))
  const silent = await listen(t, net.createServer())
  const { send } = sender(t, { allowLoopback: true, timeoutMs: 300 })
  assert.equal((await send(`https://127.0.0.1:${plain.port}`)).error, 'tls')
  assert.equal((await send(`https://127.0.0.1:${silent.port}`)).error, 'timeout')
  for (let tries = 0; silent.seen.closed === 0; tries += 1) {
    assert.ok(tries < 500, 'the connection is not left open')
    await sleep(20)
  }
})

test('a name without an address, and a name server that never answers, fail with their reason', async (t) => {
  const absent = sender(t, { lookup: () => Promise.reject(new Error('ENOTFOUND')) })
  assert.equal((await absent.send('https://merchant.example')).error, 'dns')
  const empty = sender(t, { lookup: async () => [] })
  assert.equal((await empty.send('https://merchant.example')).error, 'dns')
  const silent = sender(t, { lookup: () => new Promise(() => {}), timeoutMs: 300 })
  assert.equal((await silent.send('https://merchant.example')).error, 'timeout')
})

test('the lookup returns IPv4 and IPv6 addresses, or those of one kind if the other is missing', async (t) => {
  const server = createSocket('udp4', (query, from) => {
    const isIPv6 = query.at(-3) === 28 // the question's type, before its two bytes of class
    const data = Buffer.from(isIPv6 ? '26064700000000000000000000001111' : '08080808', 'hex')
    const isMissing = isIPv6 && query.includes('only4')
    const head = Buffer.from([
      ...query.subarray(0, 2),
      0x81,
      isMissing ? 0x83 : 0x80,
      0,
      1,
      0,
      isMissing ? 0 : 1,
      0,
      0,
      0,
      0,
    ])
    const record = Buffer.from([0xc0, 12, 0, isIPv6 ? 28 : 1, 0, 1, 0, 0, 0, 0, 0, data.length, ...data])
    const question = query.subarray(12, query.indexOf(0, 12) + 5)
    server.send(Buffer.concat([head, question, ...(isMissing ? [] : [record])]), from.port, from.address)
  })
  t.after(() => server.close())
  await once(server.bind(0, '127.0.0.1'), 'listening')
  const { lookup } = lookUpPublicAddress([`127.0.0.1:${server.address().port}`])
  assert.deepEqual(await lookup('both.example'), ['8.8.8.8', '2606:4700::1111'])
  assert.deepEqual(await lookup('only4.example'), ['8.8.8.8'])
})

test('only a strictly written global unicast address is public', () => {
  for (const address of ['8.8.8.8', '1.1.1.1', '2606:4700::1111', '2a00:1450::1']) assert.ok(isPublicAddress(address))
  for (const address of ['', '8.8.8', '010.8.8.8', '0x8.8.8.8', '2606:4700::1%eth0', '[2606:4700::1]', 'dns.example']) {
    assert.ok(!isPublicAddress(address), address)
  }
})
