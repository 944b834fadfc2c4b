import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import Type, { type TSchema } from 'typebox'
import { takesKey } from '../../api/http/operation.ts'
import { validateInput } from '../../api/http/validate.ts'
import { operations } from '../../api/operations.ts'
import { errorHelp } from '../../domain/error-help.ts'
import { fieldsOf } from '../../domain/narrow.ts'
import { type ErrorCode, errorCodes } from '../../domain/refusal.ts'
import { openPages } from '../support/pages.ts'
import { eventTypes } from '../../domain/webhook/event.ts'
import { useStack } from '../support/use-stack.ts'

const stack = await useStack({ workers: false })
const pages = await openPages(stack)
after(() => pages.stop())

/** Every text in a schema that has a form, with the path to it. A currency is checked later, by its own code. */
function* formsIn(schema: unknown, path: string): Generator<{ path: string; schema: Record<string, unknown> }> {
  const fields = fieldsOf(schema)
  if (
    fields['type'] === 'string' &&
    !['', 'currency', 'binary'].includes(String(fields['pattern'] ?? fields['format'] ?? ''))
  )
    yield { path, schema: fields }
  for (const [name, inner] of Object.entries(fields))
    if (typeof inner === 'object' && inner !== null) yield* formsIn(inner, `${path}/${name}`)
}

// One of these breaks every form that is in use.
const broken = ['', ' ', '~', 'a b', '!!!!!!!!!!!!', '\u202e', '!'.repeat(60)]

test('a text of the wrong form is told which form is right, in every field of every operation', () => {
  const silent = operations.flatMap(({ method, path, body, query }) =>
    [body, query].flatMap((input) =>
      [...formsIn(input, `${method} ${path}`)]
        .filter(({ schema }) => !messagesFor(schema).some((message) => message.startsWith('must ')))
        .map((form) => form.path),
    ),
  )
  assert.deepEqual(silent, [])
})

/** The messages about the form of broken texts in a field of this schema. */
function messagesFor({ minLength: _min, maxLength: _max, ...form }: Record<string, unknown>): string[] {
  const schema = Type.Object({ field: form as TSchema })
  return broken.flatMap((field) => validateInput(schema, { field }).errors.map(({ message }) => message))
}

test('an error leads to the page that says what its code means and what to do next', async () => {
  const response = await fetch(`${pages.base}/v1/no-such-path`)
  assert.equal(response.status, 404)
  const { doc_url: address } = (await response.json()) as { doc_url: string }
  assert.equal(address, `${pages.base}/docs/errors#NOT_FOUND`)
  const page = await (await fetch(address)).text()
  for (const code of Object.keys(errorCodes)) assert.ok(page.includes(`<section id="${code}">`), code)
  assert.doesNotMatch(page, /`/, 'a backtick that is shown as it is')
  assert.match(page, /bear the fee \(<code>fee_bearer<\/code>\)\.</, 'no space before a full stop')
})

test('what helps names only operations that exist', () => {
  const known = operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`)
  const named = Object.values(errorHelp)
    .flatMap(({ means, next }) => [means, next])
    .flatMap((sentence) => [...sentence.matchAll(/`((?:GET|POST|PATCH|PUT|DELETE) [^`]+)`/g)].map(([, call]) => call))
  assert.ok(named.length > 2)
  assert.deepEqual(
    named.filter((call) => !known.includes(call ?? '')),
    [],
  )
})

test('whoever is told to wait is told to use a new key then, as a refusal is kept under the key that was sent', () => {
  const refused = new Set(operations.filter(takesKey).flatMap(({ refuses }) => refuses))
  const waiting = Object.entries(errorHelp).filter(
    ([code, { next }]) =>
      refused.has(code as ErrorCode) && errorCodes[code as ErrorCode] < 429 && next.includes('Wait'),
  )
  assert.ok(waiting.length >= 3)
  for (const [code, { next }] of waiting) assert.match(next, /new `Idempotency-Key`/, code)
})

test('a quote that was used leads to what has used it first, so that nobody pays a second time', () => {
  assert.match(
    errorHelp.QUOTE_ALREADY_USED.next,
    /^Look for the payout or the conversion .*\. Create a new quote only if/,
  )
})

test('what helps sends to no mail that the service does not send', () => {
  for (const [code, { next }] of Object.entries(errorHelp)) assert.doesNotMatch(next, /\bmail\b/, code)
})

test('what helps names no event that is never sent', () => {
  const named = Object.values(errorHelp)
    .flatMap(({ means, next }) => [means, next])
    .flatMap((sentence) => [...sentence.matchAll(/`([a-z_]+(?:\.[a-z_]+)+)`/g)].map(([, type]) => String(type)))
  assert.deepEqual(
    named.filter((type) => !(eventTypes as readonly string[]).includes(type)),
    [],
  )
})
