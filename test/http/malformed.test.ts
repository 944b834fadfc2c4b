import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { useStack } from '../support/use-stack.ts'

const stack = await useStack({ workers: false })

/** Sends bytes as they are, and returns all that comes back. */
async function send(text: string): Promise<string> {
  const { hostname, port } = new URL(stack.baseUrl)
  const socket = connect(Number(port), hostname)
  let answer = ''
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString()))
  socket.end(text)
  await once(socket, 'close')
  return answer
}

const long = 'a'.repeat(40_000)
for (const [what, text, says] of [
  ['something that is not HTTP', 'hello there\r\n\r\n', /not valid HTTP/],
  [
    'a header that is far too long',
    `GET /v1/payments HTTP/1.1\r\nHost: x\r\nX-Long: ${long}\r\n\r\n`,
    /too long: at most 16 KB/,
  ],
  ['a target of another scheme', 'GET a://x?y HTTP/1.1\r\nHost: x\r\n\r\n', /must be a path/],
  ['a call of HTTP/1.1 without Host', 'GET /v1/payments HTTP/1.1\r\n\r\n', /^Host: is required/],
  [
    'an expectation that nobody knows',
    'POST /v1/customers HTTP/1.1\r\nHost: x\r\nExpect: a-miracle\r\nContent-Length: 2\r\n\r\n{}',
    /^Expect: must be 100-continue/,
  ],
  ['an address that is far too long', `GET /v1/payments?reference=${long} HTTP/1.1\r\nHost: x\r\n\r\n`, /too long/],
] as const) {
  test(`${what} is answered with the error object`, async () => {
    const [head = '', body = ''] = (await send(text)).split('\r\n\r\n')
    assert.match(head, /^HTTP\/1.1 400 /)
    assert.match(head, /^X-Request-Id: [\w-]{36}$/m)
    const { error_code: code, doc_url: page, detail } = JSON.parse(body) as Record<string, string>
    assert.match(String(detail), says)
    assert.deepEqual([code, page], ['VALIDATION_ERROR', `${stack.baseUrl}/docs/errors#VALIDATION_ERROR`])
  })
}
