import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { errorExamples, examples } from '../../api/http/examples.ts'
import { operationIdOf } from '../../api/http/operation-id.ts'
import { contentTypeOf, type Operation } from '../../api/http/operation.ts'
import { validateInput, validateQuery } from '../../api/http/validate.ts'
import { operations } from '../../api/operations.ts'
import { errorCodes, isErrorCode } from '../../domain/refusal.ts'
import { answerProblem, closed } from '../support/answers.ts'
import { howToRecord, nameOf } from '../support/example-stage.ts'
import { everyDocument } from '../support/openapi-document.ts'

// What is recorded of an operation is what its schemas say; and the document shows it.
type Media = { schema: object; examples?: Record<string, { value?: unknown; $ref?: string }> }
type Described = {
  parameters: { name: string; in: string; required?: boolean; example?: unknown; schema: object }[]
  requestBody?: { content: Record<string, Media> }
  responses: Record<string, { content: Record<string, Media> }>
}
const { paths, components } = everyDocument<Described>()
const described = (operation: Operation): Described => {
  const found = paths[operation.path]?.[operation.method]
  assert.ok(found, nameOf(operation))
  return found
}
const recordedOf = (operation: Operation) => examples[operationIdOf(operation)] ?? { calls: [], refusals: {} }

/** An answer with the headers that the document requires. */
const asAnswer = (status: number, body: unknown) => {
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'x-request-id': 'an-example',
    'x-api-version': '2026-11-20',
    'retry-after': '1',
    'www-authenticate': 'Bearer realm="steadypay"',
  }
  return { status, header: (name: string) => headers[name.toLowerCase()] ?? null, text: JSON.stringify(body) }
}

/** The fields that do not fit a schema of the document. */
const faultsIn = (schema: object, value: unknown): string[] => {
  const validator = Compile(closed(schema) as TSchema)
  return validator.Check(value)
    ? []
    : validator.Errors(value).map(({ instancePath, message }) => `${instancePath} ${message}`)
}

test('each recorded request is one that the server and the document take', () => {
  for (const operation of operations) {
    const media = described(operation).requestBody?.content['application/json']
    for (const { name, request } of recordedOf(operation).calls) {
      const what = `${nameOf(operation)} (${name})`
      const { params = {}, query = {}, body } = request
      assert.deepEqual(validateInput(operation.params, params).errors, [], what)
      const texts = Object.fromEntries(Object.entries(query).map(([key, value]) => [key, String(value)]))
      assert.deepEqual(validateQuery(operation.query, texts).errors, [], what)
      if (body) assert.deepEqual(validateInput(operation.body, body).errors, [], what)
      if (body && media) assert.deepEqual(faultsIn(media.schema, body), [], what)
    }
  }
})

test('each recorded answer and refusal is one that the document describes', () => {
  for (const operation of operations) {
    const method = operation.method.toUpperCase()
    const path = operation.path.replaceAll(/\{\w+\}/g, 'x')
    const { calls, refusals } = recordedOf(operation)
    for (const { name, status, answer } of calls.filter((call) => call.answer !== null)) {
      assert.equal(answerProblem(method, path, asAnswer(status, answer)), null, `${nameOf(operation)} (${name})`)
    }
    for (const [code, body] of Object.entries(refusals)) {
      assert.ok(isErrorCode(code) && body['error_code'] === code)
      assert.equal(answerProblem(method, path, asAnswer(errorCodes[code], body)), null, nameOf(operation))
    }
  }
  for (const [code, body] of Object.entries(errorExamples)) {
    assert.equal(body['error_code'], code)
    assert.deepEqual(faultsIn({ $ref: '#/components/schemas/Error' }, body), [], code)
  }
})

test('the document shows an example of each body, parameter of a path, answer and refusal', () => {
  const silent = operations.flatMap((operation) => {
    const { parameters, requestBody, responses } = described(operation)
    const body = operation.takesFile ? undefined : requestBody?.content['application/json']
    const needed = parameters.filter((one) => one.in === 'path' || (one.in === 'query' && one.required))
    return [
      ...(body && !body.examples ? ['body'] : []),
      ...needed.filter(({ example }) => example === undefined).map(({ name }) => name),
      ...Object.entries(responses)
        .filter(([status]) => !(contentTypeOf(operation) !== 'application/json' && status === '200'))
        .filter(([, { content }]) => !content['application/json']?.examples)
        .map(([status]) => status),
    ].map((what) => `${nameOf(operation)}: ${what}`)
  })
  assert.deepEqual(silent, [], `without an example: ${howToRecord}`)
})

test('each example that is shared is there, and says what its code means', () => {
  const shared = (components as { examples?: Record<string, { value: { error_code: string } }> }).examples ?? {}
  const named = [...JSON.stringify(paths).matchAll(/#\/components\/examples\/(\w+)/g)].map(([, name = '']) => name)
  assert.ok(new Set(named).size > 25)
  for (const name of named) assert.equal(shared[name]?.value.error_code, name)
})

test('the example of a sale sends an amount and no products, as a sale takes only one of them', () => {
  const [first, ...others] = examples['checkoutSessions.create']?.calls ?? []
  assert.deepEqual(Object.keys(first?.request.body ?? {}).toSorted(), [
    'amount',
    'currency',
    'description',
    'metadata',
    'reference',
    'success_url',
  ])
  assert.deepEqual(
    others.map(({ name }) => name),
    ['products', 'setup', 'savedCard'],
  )
})

test('paying with a saved card is shown from the offer to the payment: the offered card is the one that pays', () => {
  const shown = (operation: string) => {
    const call = examples[`checkoutSessions.${operation}`]?.calls.find(({ name }) => name === 'savedCard')
    assert.ok(call, operation)
    return { body: call.request.body ?? {}, answer: call.answer }
  }
  const [opened, page, paid] = [shown('create'), shown('getPublic'), shown('pay')]
  assert.equal(opened.body['offer_saved_cards'], true)
  assert.deepEqual(Object.keys(opened.body['customer'] ?? {}), ['id'])
  const { saved_payment_methods: offered } = page.answer as { saved_payment_methods: { payment_method_id: string }[] }
  const card = paid.body['card'] as Record<string, string>
  assert.deepEqual(
    offered.map(({ payment_method_id }) => payment_method_id),
    [card['payment_method_id']],
  )
  assert.match(card['cvc'] ?? '', /^\d{3}$/)
  assert.equal((paid.answer as { payment_status: string }).payment_status, 'succeeded')
})

test('examples are short, always the same, and show no secret that could be one', () => {
  const long = operations.flatMap((operation) =>
    recordedOf(operation).calls.flatMap(({ answer }) =>
      JSON.stringify(answer ?? '').length > 6_500 ||
      (JSON.stringify(answer ?? '').match(/"created_at"/g) ?? []).length > 24
        ? [nameOf(operation)]
        : [],
    ),
  )
  assert.deepEqual(long, [])
  const all = JSON.stringify([examples, errorExamples])
  for (const secret of [
    /sk_(?:live|test|sandbox)_\w{12,}/,
    /eyJ[\w-]{8,}/,
    /whsec_[\w+/=]{20,}/,
    /[0-9a-z]{24}_secret_(?!exampleSecret\b)\w/,
    /\brt_(?!example\b)\w/,
    /127\.0\.0\.1|localhost/,
    /BEGIN [A-Z ]*PRIVATE/,
    /[\da-f]{8}-[\da-f]{4}-(?!4000)[\da-f]{4}/,
  ]) {
    assert.doesNotMatch(all, secret)
  }
  const ids = [...all.matchAll(/\b[a-z]{2,4}_[0-9a-hjkmnp-tv-z]{10}([0-9a-hjkmnp-tv-z]{24})\b/g)]
  assert.ok(ids.length > 500)
  for (const [found, random = ''] of ids) assert.match(random, /^0{20}\d{4}$/, found)
})
