import assert from 'node:assert/strict'
import { test } from 'node:test'
import { validateInput } from '../../api/http/validate.ts'
import { operations } from '../../api/operations.ts'
import { useApi, useStack } from '../support/use-stack.ts'

const stack = await useStack({ workers: false })
const api = await useApi(stack)

type Field = { key: string; value: string; disabled?: boolean; description?: string }
type Call = {
  name: string
  request: {
    method: string
    description: string
    auth: { type: string; bearer?: Field[] }
    header: Field[]
    url: { raw: string; host: string[]; path: string[]; variable: Field[]; query: Field[] }
    body?: { mode: string; raw?: string; formdata?: object[] }
  }
}
type Collection = {
  info: { name: string; schema: string }
  variable: Field[]
  item: { name: string; description?: string; item: Call[] }[]
}

const answer = await fetch(`${stack.baseUrl}/postman.json`)
const collection = (await answer.json()) as Collection
const calls = collection.item.flatMap(({ item }) => item)
const pathOf = ({ request }: Call) => `/${request.url.path.map((part) => part.replace(/^:(.+)/, '{$1}')).join('/')}`
const operationOf = (call: Call) =>
  operations.find(({ method, path }) => method.toUpperCase() === call.request.method && path === pathOf(call))

test('the collection has every call of merchants once, in the folder of its tag', () => {
  assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8')
  assert.match(collection.info.schema, /v2\.1\.0/)
  const own = operations
    .filter(({ forStaff }) => !forStaff)
    .map(({ method, path }) => `${method.toUpperCase()} ${path}`)
  assert.deepEqual(calls.map((call) => `${call.request.method} ${pathOf(call)}`).toSorted(), own.toSorted())
  for (const { name, item } of collection.item)
    for (const call of item) assert.equal(operationOf(call)?.tag, name, call.name)
})

test('an address names each of its variables, and a credential is a variable that the collection has', () => {
  const known = collection.variable.map(({ key }) => `{{${key}}}`)
  for (const { name, request } of calls) {
    const named = request.url.path.filter((part) => part.startsWith(':')).map((part) => part.slice(1))
    assert.deepEqual(request.url.variable.map(({ key }) => key).toSorted(), named.toSorted(), name)
    assert.equal(request.url.raw, `${request.url.host[0]}/${request.url.path.join('/')}`)
    for (const { value } of request.auth.bearer ?? []) assert.ok(known.includes(value), `${name}: ${value}`)
    for (const { key, description } of [...request.header, ...request.url.query])
      assert.ok(key === 'Content-Type' || description, `${name}: ${key} says nothing`)
  }
})

test('the body of every call is one that its operation takes', () => {
  const wrong = calls.flatMap((call) => {
    const { body: raw } = call.request
    const shape = operationOf(call)?.body
    if (raw?.mode === 'formdata') return []
    if ((raw === undefined) !== (shape === undefined)) return [`${call.name}: a body that is not there`]
    if (!raw?.raw || !shape) return []
    return validateInput(shape, JSON.parse(raw.raw)).errors.map(
      ({ field, message }) => `${call.name}: ${field} ${message}`,
    )
  })
  assert.deepEqual(wrong, [])
})

const sent = ['customers', 'checkout-sessions', 'payment-links', 'payouts/destinations', 'conversions/quotes']
test('a call is sent as Postman would send it, with the example in it', async () => {
  const { key } = await api.addMerchant()
  for (const path of sent) await send(`/v1/${path}`, key)
})

/** Makes something by the call of a path, as Postman would send it. */
async function send(path: string, key: string): Promise<void> {
  const call = calls.find((one) => pathOf(one) === path && one.request.method === 'POST')
  assert.ok(call)
  const filled = (text: string) =>
    text
      .replaceAll('{{baseUrl}}', stack.baseUrl)
      .replaceAll('{{apiKey}}', key)
      .replaceAll('{{$guid}}', crypto.randomUUID())
  const headers = call.request.header
    .filter(({ disabled }) => !disabled)
    .map(({ key: name, value }): [string, string] => [name, filled(value)])
  const reply = await fetch(filled(call.request.url.raw), {
    method: call.request.method,
    headers: {
      ...Object.fromEntries(headers),
      authorization: `Bearer ${filled(call.request.auth.bearer?.[0]?.value ?? '')}`,
    },
    body: call.request.body?.raw ?? '',
  })
  assert.equal(reply.status, 201, `${path}: ${await reply.text()}`)
}
