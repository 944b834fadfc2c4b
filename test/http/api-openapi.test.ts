import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { commonRefusals } from '../../api/http/perform.ts'
import { takesKey } from '../../api/http/operation.ts'
import { operations } from '../../api/operations.ts'
import { errorCodes } from '../../domain/refusal.ts'
import { idPrefixes } from '../../domain/id.ts'
import { eventTypes } from '../../domain/webhook/event.ts'
import { lintOpenApi } from '../../scripts/openapi.ts'
import { type Session } from '../../scripts/infra/session.ts'
import { everyDocument } from '../support/openapi-document.ts'
import { useStack } from '../support/use-stack.ts'
import { ROOT } from '../../scripts/infra/paths.ts'

const stack = await useStack({ workers: false })

type Answer = {
  description: string
  headers?: Record<string, object>
  content: Record<string, { schema: object }>
}
type Described = {
  operationId: string
  summary: string
  security: object[]
  parameters: { name: string; in: string; required?: boolean }[]
  requestBody?: object
  responses: Record<string, Answer>
}
type Document = {
  openapi: string
  servers: { url: string }[]
  tags: { name: string; description?: string }[]
  paths: Record<string, Record<string, Described>>
  webhooks: Record<string, unknown>
  components: { schemas: Record<string, unknown> }
}

async function readDocument(path = '/openapi.json'): Promise<Document> {
  const response = await fetch(`${stack.baseUrl}${path}`)
  assert.equal(response.status, 200)
  assert.match(response.headers.get('content-type') ?? '', /^application\/json/)
  return (await response.json()) as Document
}

test('the document is valid OpenAPI 3.1', async () => {
  assert.match((await readDocument()).openapi, /^3\.1\.\d$/)
  const atEnd: (() => unknown)[] = []
  const session = { atEnd: (work: () => unknown) => atEnd.push(work), signal: new AbortController().signal }
  assert.equal(await lintOpenApi(session as unknown as Session), null)
  for (const work of atEnd.toReversed()) await work()
})

test('each document names the address of the service, and is made only when it is first read', async () => {
  // The stack learns its address after its application is made, so a document that was made before would not name it.
  for (const path of ['/openapi.json', '/openapi-staff.json', '/openapi-3.0.json'])
    assert.deepEqual((await readDocument(path)).servers, [{ url: stack.baseUrl }], path)
})

test('generators of clients get the same document in the form of OpenAPI 3.0, without a credential', async () => {
  const [now, then] = [await readDocument('/openapi-3.0.json'), await readDocument()]
  assert.equal(now.openapi, '3.0.3')
  assert.deepEqual(Object.keys(now.paths), Object.keys(then.paths))
  assert.equal(now.servers.length, 1)
})

test('every route is documented with credentials, parameters, body and each possible status', async () => {
  const paths = { ...(await readDocument()).paths, ...(await readDocument('/openapi-staff.json')).paths }
  const documented = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method} ${path}`),
  )
  assert.deepEqual(documented.toSorted(), operations.map(({ method, path }) => `${method} ${path}`).toSorted())
  for (const operation of operations) {
    const { method, path, auth, scope, refuses, body, returns } = operation
    const described = paths[path]?.[method]
    assert.ok(described)
    assert.deepEqual(
      described.security,
      auth.map((credential) => (credential === 'none' ? {} : { [credential]: [] })),
    )
    const needed = auth.includes('none') ? [] : (['UNAUTHORIZED'] as const)
    const codes = [...commonRefusals, ...refuses, ...needed, ...(scope ? (['FORBIDDEN'] as const) : [])]
    const statuses = new Set(codes.map((code) => String(errorCodes[code])))
    for (const status of [String(returns[0]), ...statuses]) assert.ok(described.responses[status], `${path} ${status}`)
    for (const code of codes) {
      const answer: Answer | undefined = described.responses[String(errorCodes[code])]
      assert.match(answer?.description ?? '', new RegExp(`\\b${code}\\b`))
      assert.deepEqual(answer?.content['application/json']?.schema, { $ref: '#/components/schemas/Error' })
    }
    assert.equal(Boolean(described.requestBody), body !== undefined)
    const named = described.parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name)
    assert.deepEqual(
      named,
      [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
    )
    const { query } = operation as { query?: { required?: string[] } }
    const required = described.parameters.filter((parameter) => parameter.in === 'query' && parameter.required)
    assert.deepEqual(
      required.map(({ name }) => name),
      query?.required ?? [],
    )
    const hasKey = described.parameters.some(({ name }) => name === 'Idempotency-Key')
    assert.equal(hasKey, takesKey(operation))
    assert.equal(
      described.parameters.some(({ name }) => name === 'X-Account-Id'),
      auth.includes('apiKey'),
    )
  }
})

test('every operation that takes X-Account-Id says that a foreign one is 404 NOT_FOUND', async () => {
  const { paths } = await readDocument()
  const described = Object.values(paths).flatMap((methods) => Object.values(methods))
  const taking = described.filter(({ parameters }) => parameters.some(({ name }) => name === 'X-Account-Id'))
  assert.ok(taking.length > 60)
  for (const { operationId, responses } of taking) {
    assert.match(responses[404]?.description ?? '', /\bNOT_FOUND\b/, operationId)
  }
})

test('every documented 401 has the header WWW-Authenticate', async () => {
  const { paths } = await readDocument()
  const described = Object.values(paths).flatMap((methods) => Object.values(methods))
  for (const { operationId, responses } of described.filter((each) => each.responses[401])) {
    assert.ok(responses[401]?.headers?.['WWW-Authenticate'], operationId)
  }
})

test('idempotency keys are for the documented operations, and not for a login', () => {
  const taking = operations.filter(takesKey).map(({ path }) => path)
  assert.ok(taking.includes('/v1/checkout-sessions') && taking.includes('/api/v1/auth/api-keys'))
  for (const path of taking) assert.match(path, /^\/(v1|api\/v1\/payments|api\/v1\/auth\/api-keys)/)
})

test('the document for merchants names no operation of staff, and the one for staff no other', async () => {
  const pathsIn = async (path?: string) => Object.keys((await readDocument(path)).paths)
  const ofStaff = await pathsIn('/openapi-staff.json')
  assert.ok(ofStaff.length > 30)
  for (const path of ofStaff) assert.ok(path.startsWith('/api/v1/admin/'), path)
  const ofMerchants = await pathsIn()
  assert.deepEqual(
    ofMerchants.filter((path) => path.includes('/admin')),
    [],
  )
  assert.deepEqual([...ofMerchants, ...ofStaff].toSorted(), [...new Set(operations.map(({ path }) => path))].toSorted())
})

test('every schema of a document is one that an operation or an event of this document uses', async () => {
  for (const path of ['/openapi.json', '/openapi-staff.json']) {
    const document = await readDocument(path)
    const used = new Set(
      [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name),
    )
    assert.deepEqual(
      Object.keys(document.components.schemas).filter((name) => !used.has(name)),
      [],
    )
  }
})

test('each answer says what it is, and no two kinds of answer say the same', async () => {
  const { paths } = everyDocument<Described>()
  const told = new Map<string, string>()
  for (const { method, path, returns, returnsFile } of operations) {
    const name = returnsFile ? path : String((returns[1] as { $id?: string }).$id).replace('Removed', 'Deleted')
    const description = String(paths[path]?.[method]?.responses[returns[0]]?.description)
    assert.match(description, /^(The|A|What|Whether|Where|Whatever) .{3,}/, path)
    assert.doesNotMatch(description, /undefined|Done|\b(listed|desk|told)\b|\.$/i, path)
    assert.ok([undefined, name].includes(told.get(description)) || returnsFile, `${path}: ${description}`)
    told.set(description, name)
  }
  const described = (method: 'get' | 'post', path: string, status: number) =>
    paths[path]?.[method]?.responses[status]?.description
  assert.equal(described('post', '/api/v1/payments/refunds', 201), 'The new refund')
  assert.equal(described('get', '/v1/payments', 200), 'A page of payments')
  assert.equal(described('post', '/v1/virtual-accounts', 200), 'The virtual account, which existed already')
})

test('every event type that is described is recorded somewhere, so that none is promised and never sent', () => {
  const files = globSync('{activities,commands,db,api}/**/*.ts', { cwd: ROOT }).filter((file) => !/sandbox/.test(file))
  const code = files.map((file) => readFileSync(join(ROOT, file), 'utf8')).join('\n')
  for (const type of eventTypes) {
    const group = type.slice(0, type.lastIndexOf('.'))
    assert.ok(code.includes(`'${type}'`) || code.includes(`\`${group}.\${`), type)
  }
})

test('every event type is described in the document', async () => {
  const { webhooks } = await readDocument()
  assert.deepEqual(Object.keys(webhooks).toSorted(), [...eventTypes].toSorted())
})

test('no address can mean two operations: a fixed word never stands where another path has an id of that form', () => {
  const paths = [...new Set(operations.map(({ path }) => path))].map((path) => path.split('/'))
  const isParameter = (part: string) => part.startsWith('{')
  const isId = (word: string) => Object.keys(idPrefixes).some((prefix) => word.startsWith(`${prefix}_`))
  for (const [index, one] of paths.entries()) {
    for (const other of paths.slice(index + 1).filter(({ length }) => length === one.length)) {
      const isSame = one.every((part, at) => part === other[at] || isParameter(part) || isParameter(other[at] ?? ''))
      const words = one.flatMap((part, at) => {
        const against = other[at] ?? ''
        return isParameter(part) === isParameter(against) ? [] : [isParameter(part) ? against : part]
      })
      const isTold = words.length > 0 && words.every((word) => !isId(word))
      assert.ok(!isSame || isTold, `${one.join('/')} and ${other.join('/')}`)
    }
  }
})

test('every reference in the document has its target there', async () => {
  const document = await readDocument()
  for (const [, name = ''] of JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)) {
    assert.ok(document.components.schemas[name], name)
  }
})

test('every code that an operation refuses with has a test whose title begins with it', () => {
  const titles = globSync('test/*/*.test.ts', { cwd: ROOT })
    .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/^\s*test\(\s*(['"`])(.*?)\1/gm)])
    .map(([, , title]) => title)
  const codes = new Set(operations.flatMap(({ refuses }) => [...refuses]))
  for (const code of [...codes, 'UNAUTHORIZED', 'FORBIDDEN', 'VALIDATION_ERROR', 'TOO_MANY_REQUESTS']) {
    assert.ok(
      titles.some((title) => title?.startsWith(`${code}:`)),
      `no test is named by ${code}`,
    )
  }
})

test('the reference page loads nothing from another server', async () => {
  const page = await fetch(`${stack.baseUrl}/reference`)
  assert.equal(page.status, 200)
  const html = await page.text()
  const addresses = [...html.matchAll(/(?:src|href|data-url)\s*=\s*"([^"]*)"/g)].map(([, address = '']) => address)
  assert.deepEqual(addresses, ['/openapi.json', '/reference/standalone.js'])
  assert.doesNotMatch(html, /https?:\/\//)
  const policy = page.headers.get('content-security-policy') ?? ''
  assert.match(policy, /default-src 'self'/)
  assert.doesNotMatch(policy, /https?:|\*/)
  for (const address of addresses) {
    const response = await fetch(stack.baseUrl + address)
    assert.equal(response.status, 200)
    assert.ok((await response.text()).length > 1_000)
  }
})

test('the reference page lists every test value of the sandbox', async () => {
  const { tags } = await readDocument()
  const description = tags.find(({ name }) => name === 'Test helpers')?.description ?? ''
  const values = [
    '4242424242424242',
    '4000000000000259',
    'tok_asks_for_3ds',
    '123456',
    'customer_timeout',
    '3120.75',
    '`0001`',
    '`0008`',
    'sandbox_no_answer',
    'sandbox_hold',
    'Zainab',
  ]
  for (const value of values) assert.ok(description.includes(value), value)
})

test('health answers without a credential, and readiness says whether the database is there', async () => {
  assert.deepEqual(await (await fetch(`${stack.baseUrl}/healthz`)).json(), { status: 'ok' })
  assert.deepEqual(await (await fetch(`${stack.baseUrl}/readyz`)).json(), { status: 'ready' })
})
