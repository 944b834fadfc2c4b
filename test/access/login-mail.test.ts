import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { test } from 'node:test'
import { createMailer } from '../../engine/mailer.ts'
import { startLog } from '../support/log.ts'
import { until } from '../support/until.ts'

type MailServer = {
  /** The answer to DATA. */
  refusal?: string
  /** How long it thinks about a mail, in milliseconds. */
  lateMs?: number
  /** It says nothing after its greeting. */
  isSilent?: boolean
}

/** A minimal mail server: it accepts every mail unless told otherwise. `taken` counts the mails. */
async function startMailServer({ refusal, lateMs = 0, isSilent = false }: MailServer = {}) {
  let received = ''
  let taken = 0
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket)
    let isData = false
    const take = () => {
      taken += 1
      socket.write('250 taken\r\n')
    }
    socket.write('220 mail.test\r\n')
    socket.on('error', () => undefined)
    socket.on('data', (chunk) => {
      received += chunk.toString()
      if (isSilent) return
      for (const line of chunk.toString().split('\r\n').slice(0, -1)) {
        if (isData && line !== '.') continue
        const isEnd = isData
        isData = line === 'DATA' && !refusal
        if (isEnd) setTimeout(take, lateMs)
        else if (line === 'DATA') socket.write(refusal ?? '354 go on\r\n')
        else if (line === 'QUIT') socket.end('221 bye\r\n')
        else socket.write('250 yes\r\n')
      }
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `smtp://user:marked-smtp-password@127.0.0.1:${port}`,
    port,
    received: () => received,
    taken: () => taken,
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

const mail = { to: 'ada@example.com', subject: 'Your login code', text: 'Your code is 314159.' }

test('a mail is sent by SMTP, from the configured sender', async () => {
  const server = await startMailServer()
  const { lines, logger } = startLog()
  const mailer = createMailer(`smtp://127.0.0.1:${server.port}`, 'pay@example.com', logger)
  mailer.send(mail)
  await until(() => server.received().includes('314159'), 'the mail has arrived')
  assert.match(server.received(), /MAIL FROM:<pay@example.com>/)
  assert.match(server.received(), /RCPT TO:<ada@example.com>/)
  assert.deepEqual(lines, [])
  await mailer.close()
  server.close()
})

test('each address of a mail is one recipient, also where it holds what separates addresses elsewhere', async (t) => {
  const server = await startMailServer()
  t.after(server.close)
  const mailer = createMailer(`smtp://127.0.0.1:${server.port}`, 'pay@example.com', startLog().logger)
  const to = 'ada,ceo@corp.example, x;ceo@corp.example, ceo:ben@corp.example, ada@example.com'
  await mailer.deliver({ ...mail, to })
  const recipients = [...server.received().matchAll(/^RCPT TO:<(.*)>\r$/gm)].map(([, address]) => address)
  const wanted = ['"ada,ceo"@corp.example', '"x;ceo"@corp.example', '"ceo:ben"@corp.example', 'ada@example.com']
  await mailer.close()
  assert.deepEqual(recipients, wanted)
})

test('an address that an earlier release took with something around it gets its mail', async (t) => {
  const server = await startMailServer()
  t.after(server.close)
  const mailer = createMailer(`smtp://127.0.0.1:${server.port}`, 'pay@example.com', startLog().logger)
  await mailer.deliver({ ...mail, to: 'ada@example.com;, ben@example.com,, mailto:carl@example.com' })
  const recipients = [...server.received().matchAll(/^RCPT TO:<(.*)>\r$/gm)].map(([, address]) => address)
  await mailer.close()
  assert.deepEqual(recipients, ['ada@example.com', 'ben@example.com', 'carl@example.com'])
})

test('a mail that cannot be sent is logged without its content, its recipient or the password', async () => {
  const server = await startMailServer({ refusal: '554 no: Your code is 314159. for ada@example.com\r\n' })
  const { lines, logger } = startLog()
  const mailer = createMailer(server.url, 'pay@example.com', logger)
  mailer.send(mail)
  await until(() => lines.length > 0, 'the failure is logged')
  assert.doesNotMatch(lines.join(''), /314159|ada@|marked-smtp-password/)
  await mailer.close()
  server.close()
})

test('without a configured mail server nothing is sent', async () => {
  const { lines, logger } = startLog()
  const mailer = createMailer(null, 'pay@example.com', logger)
  mailer.send(mail)
  await mailer.close()
  assert.deepEqual(lines, [])
})

const times = { connectMs: 5_000, silenceMs: 100, lastMailsMs: 5_000 }

test('a mail server that says nothing any more is given up', async () => {
  const server = await startMailServer({ isSilent: true })
  const mailer = createMailer(server.url, 'pay@example.com', startLog().logger, times)
  await assert.rejects(mailer.deliver(mail), { code: 'ETIMEDOUT' })
  await mailer.close()
  server.close()
})

test('a process that stops waits for the mails that it has begun to send', async () => {
  const server = await startMailServer({ lateMs: 300 })
  const { lines, logger } = startLog()
  const mailer = createMailer(server.url, 'pay@example.com', logger)
  mailer.send(mail)
  mailer.send(mail)
  await mailer.close()
  assert.equal(server.taken(), 2)
  assert.deepEqual(lines, [])
  server.close()
})

test('a process that stops does not wait long for a mail server that says nothing', async () => {
  const server = await startMailServer({ isSilent: true })
  const { lines, logger } = startLog()
  const mailer = createMailer(server.url, 'pay@example.com', logger, { ...times, silenceMs: 600_000, lastMailsMs: 10 })
  mailer.send(mail)
  await mailer.close()
  assert.deepEqual(lines, [])
  server.close()
})
