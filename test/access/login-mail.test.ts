import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { test } from 'node:test'
import { createMailer } from '../../engine/mailer.ts'
import { startLog } from '../support/log.ts'
import { until } from '../support/until.ts'

/** A minimal mail server: it accepts every mail, or answers DATA with `refusal`. */
async function startMailServer(refusal?: string) {
  let received = ''
  const server = createServer((socket) => {
    let isData = false
    socket.write('220 mail.test\r\n')
    socket.on('error', () => undefined)
    socket.on('data', (chunk) => {
      received += chunk.toString()
      for (const line of chunk.toString().split('\r\n').slice(0, -1)) {
        if (isData && line !== '.') continue
        const isEnd = isData
        isData = line === 'DATA' && !refusal
        if (isEnd) socket.write('250 taken\r\n')
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
    close: () => server.close(),
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
  mailer.close()
  server.close()
})

test('a mail that cannot be sent is logged without its content, its recipient or the password', async () => {
  const server = await startMailServer('554 no: Your code is 314159. for ada@example.com\r\n')
  const { lines, logger } = startLog()
  const mailer = createMailer(server.url, 'pay@example.com', logger)
  mailer.send(mail)
  await until(() => lines.length > 0, 'the failure is logged')
  assert.doesNotMatch(lines.join(''), /314159|ada@|marked-smtp-password/)
  mailer.close()
  server.close()
})

test('without a configured mail server nothing is sent', () => {
  const { lines, logger } = startLog()
  const mailer = createMailer(null, 'pay@example.com', logger)
  mailer.send(mail)
  mailer.close()
  assert.deepEqual(lines, [])
})
