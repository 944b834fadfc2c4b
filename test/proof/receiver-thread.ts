// The thread in which the receivers of receivers.ts run.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { Webhook } from 'standardwebhooks'
import { selfSigned } from '../support/certificate.ts'
import type { ReceivedRequest, Kind, Question } from './receivers.ts'

const given = Object.entries(workerData as Record<Kind, string>) as [Kind, string][]
const secrets = new Map(given.map(([kind, secret]) => [kind, [secret]]))
const received = new Map<Kind, ReceivedRequest[]>([...secrets.keys()].map((kind) => [kind, []]))
const urls: Partial<Record<Kind, string>> = {}

type Answer = (response: ServerResponse, request: IncomingMessage) => void
const thank: Answer = (response) => void response.end('heard')
const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  (response) =>
    void response.writeHead(code, headers).end('not today')

const answers: Record<Kind, Answer> = {
  healthy: thank,
  badCertificate: thank,
  flaky: (response, request) => (Math.random() < 0.3 ? status(503) : thank)(response, request),
  error: status(500),
  hang: () => undefined,
  reset: (_, request) => request.socket.resetAndDestroy(),
  rateLimited: status(429, { 'retry-after': '2' }),
  gone: status(410),
  drip(response) {
    response.write('.')
    const dripping = setInterval(() => response.write('.'), 1_000)
    response.on('close', () => clearInterval(dripping))
  },
  redirect: (response, request) => status(302, { location: `${urls.healthy}/redirected` })(response, request),
  secondTime: (response, request) => (attemptOf(request) === 1 ? status(500) : thank)(response, request),
}

const thankful = (): Answer => thank
const refusing = (kind: Kind): Answer => (kind === 'healthy' ? thank : answers.error)
const asItsKind = (kind: Kind): Answer => answers[kind]
/** How the receivers answer now. */
let answerOf: (kind: Kind) => Answer = thankful

const attemptOf = ({ headers }: IncomingMessage) => Number(headers['x-service-attempt'])

for (const kind of secrets.keys()) urls[kind] = await listen(kind)
parentPort?.on('message', ({ question, port }: { question: Question; port: MessagePort }) =>
  port.postMessage(reply(question)),
)

function reply(question: Question): unknown {
  if (question.about === 'urls') return urls
  if (question.about === 'received') return received.get(question.kind)
  if (question.about === 'learn') return learn(question.kind, question.secret)
  answerOf = question.about === 'refuse' ? refusing : asItsKind
  for (const kind of received.keys()) received.set(kind, [])
  return undefined
}

function learn(kind: Kind, secret: string): void {
  const [newest] = secrets.get(kind) ?? []
  secrets.set(
    kind,
    [secret, newest].filter((one) => one !== undefined),
  )
}

async function listen(kind: Kind): Promise<string> {
  const isSecure = kind === 'badCertificate'
  const take = taking(kind)
  const server = isSecure ? createSecureServer(selfSigned('localhost'), take) : createServer(take)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return `${isSecure ? 'https://localhost' : 'http://127.0.0.1'}:${port}/${kind}`
}

function taking(kind: Kind): RequestListener {
  return (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      received.get(kind)?.push(record(kind, request, Buffer.concat(chunks)))
      answerOf(kind)(response, request)
    })
  }
}

function record(kind: Kind, request: IncomingMessage, body: Buffer): ReceivedRequest {
  const headers = request.headers as Record<string, string>
  return {
    at: Date.now(),
    path: request.url ?? '',
    eventId: headers['x-service-event-id'] ?? '',
    attempt: attemptOf(request),
    sha256: createHash('sha256').update(body).digest('hex'),
    signatures: headers['webhook-signature']?.split(' ').length ?? 0,
    signedAt: Number(headers['webhook-timestamp']),
    isVerified: (secrets.get(kind) ?? []).some((secret) => isVerified(secret, body, headers)),
  }
}

function isVerified(secret: string, body: Buffer, headers: Record<string, string>): boolean {
  try {
    new Webhook(secret).verify(body, headers)
    return true
  } catch {
    return false
  }
}
