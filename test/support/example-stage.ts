import assert from 'node:assert/strict'
import { type Example, examples, type Recorded } from '../../api/http/examples.ts'
import { operationIdOf } from '../../api/http/operation-id.ts'
import { contentTypeOf, needsBody, type Operation } from '../../api/http/operation.ts'
import { operations } from '../../api/operations.ts'
import { newId } from '../../domain/id.ts'
import { type Api, bearer, fromAnywhere } from './api.ts'
import type { Reply } from './merchant.ts'
import { createNormalizer } from './normalize-example.ts'
import { fillPath, type Owner } from './resource.ts'
import { makers } from './resources.ts'
import type { Stack } from './stack.ts'
import { addUser } from './user.ts'

/** A call that serves as an example. */
type Sent = {
  /** The ids in the path; those that are left out are the ones that were shown last. */
  params?: Record<string, string>
  query?: Record<string, string | number>
  body?: object
  /** The bearer token, if it is not the usual one of the operation. */
  as?: string
  /** What this example shows, where an operation has several. The first one is the one that people try. */
  name?: string
  summary?: string
  headers?: Record<string, string>
  /** Sends the call in another way, for a file. */
  send?: () => Promise<Reply>
}

/** Makes the examples of some operations, by calling them. */
export type Story = (stage: Stage) => Promise<void>
export type Stage = Awaited<ReturnType<typeof openStage>>

export const nameOf = ({ method, path }: Pick<Operation, 'method' | 'path'>) => `${method.toUpperCase()} ${path}`
export const howToRecord =
  'add a call to test/support/examples/, and record it: ' +
  'RECORD_EXAMPLES=1 npm test -- test/http/openapi-examples.test.ts'

/** An organization whose calls become the examples of the API's documents, with its people and the platform's staff. */
export async function openStage(stack: Stack, api: Api) {
  const accountId = await api.addAccount()
  const keys = {
    sandbox: await api.addKey({ accountId }),
    live: await api.addKey({ accountId, environment: 'live' }),
  }
  const owner: Owner = { accountId, keys }
  const person = await addUser(stack, { accountId, role: 'owner' })
  const [staff, colleague] = [await addReviewer(stack), await addReviewer(stack)]
  const recorded: Record<string, Recorded> = {}
  const errors: Record<string, Record<string, unknown>> = {}
  const known: Record<string, string> = { account_id: accountId, capability: 'payouts' }
  const { call } = stack.merchant

  async function headersFor({ auth, forStaff, method }: Operation, { as, headers = {} }: Sent) {
    const usual = async () => {
      // Who only reads is somebody else each time, as one person would reach the limit of calls in a minute.
      if (forStaff) return (method === 'get' ? await addReviewer(stack) : staff).token()
      if (auth.includes('apiKey')) return keys.sandbox.key
      return auth.includes('user') ? person.token() : ''
    }
    const token = as ?? (await usual())
    return { ...fromAnywhere(), authorization: token && `Bearer ${token}`, ...headers }
  }

  /** Sends a call, records it as an example of its operation, and returns the answer's body. */
  async function show(route: string, sent: Sent = {}): Promise<Reply['body']> {
    const operation = operations.find((each) => nameOf(each) === route)
    assert.ok(operation, `there is no ${route}`)
    const operationId = operationIdOf(operation)
    const own = (recorded[operationId] ??= { calls: [], refusals: {} })
    const name = sent.name ?? 'example'
    const { summary = operation.summary } = sent
    const { normalize, putBack } = createNormalizer(stack.baseUrl, await stack.clock.now())
    const named = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, param = '']) => param)
    const params = Object.fromEntries(
      named.map((param) => [param, sent.params?.[param] ?? known[param] ?? assert.fail(`${route} needs a ${param}`)]),
    )
    const request = normalize({
      ...(named.length > 0 && { params }),
      ...(sent.query && { query: sent.query }),
      ...(sent.body && { body: sent.body as Record<string, unknown> }),
    })
    // What is sent is what was recorded, with the ids of this run: so each recorded call is proven to work.
    const before = examples[operationId]?.calls.find((each) => each.name === name)
    const isRecorded = before !== undefined && !process.env['RECORD_EXAMPLES']
    if (isRecorded) assert.deepEqual(request, before.request, `${route} is another call than recorded: ${howToRecord}`)
    const { query, body, params: ids } = putBack(isRecorded ? before.request : request)
    const search = query
      ? `?${new URLSearchParams(Object.entries(query).map(([key, value]) => [key, String(value)]))}`
      : ''
    const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, param: string) => String(ids?.[param])) + search
    const headers = await headersFor(operation, sent)
    const reply = await (sent.send?.() ?? call(operation.method.toUpperCase(), path, body, headers))
    assert.ok(reply.status < 300, `${route}: ${reply.status} ${reply.text}`)
    Object.assign(known, params)
    const isJson = contentTypeOf(operation) === 'application/json'
    const answer = isJson ? normalize(JSON.parse(reply.text) as unknown) : null
    own.calls.push({ name, summary, request, status: reply.status, answer } satisfies Example)
    if (own.calls.length === 1)
      own.refusals = await refusalsOf(operation, params, body, await headersFor(operation, sent))
    return reply.body
  }

  /** The refusals that every call may meet: nothing is sent in the body, and the id belongs to nothing. */
  async function refusalsOf(
    operation: Operation,
    params: Record<string, string>,
    body: unknown,
    headers: Record<string, string>,
  ): Promise<Recorded['refusals']> {
    const method = operation.method.toUpperCase()
    const refusals: Recorded['refusals'] = {}
    const keep = async (code: string, reply: Reply) => {
      const { normalize } = createNormalizer(stack.baseUrl, await stack.clock.now())
      if (reply.body['error_code'] === code) refusals[code] = normalize(reply.body as Record<string, unknown>)
    }
    const filled = operation.path.replaceAll(/\{(\w+)\}/g, (_, param: string) => String(params[param]))
    if (needsBody(operation) && !operation.takesFile) {
      await keep('VALIDATION_ERROR', await call(method, filled, {}, { ...headers, ...fromAnywhere() }))
    } else if (operation.query && 'limit' in operation.query.properties) {
      await keep(
        'VALIDATION_ERROR',
        await call(method, `${filled}?limit=1000`, undefined, { ...headers, ...fromAnywhere() }),
      )
    }
    const [param] = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, each = '']) => each).toReversed()
    if (param && param !== 'capability') {
      const missing = newId(makers[param]?.prefix ?? 'pay', Date.now())
      const elsewhere = fillPath(operation.path, missing, String(params['account_id'] ?? accountId), params)
      await keep('NOT_FOUND', await call(method, elsewhere, body, { ...headers, ...fromAnywhere() }))
    }
    return refusals
  }

  return {
    stack,
    api,
    accountId,
    owner,
    merchant: keys.sandbox.merchant,
    person,
    staff,
    colleague,
    recorded,
    /** An example of each error code, for the operations that have none of their own. */
    errors,
    /** The ids that paths take by default. */
    known,
    show,
    /** Calls without an example of it. */
    call: (method: string, path: string, body?: object, token = keys.sandbox.key): Promise<Reply> =>
      call(method, path, body, { ...fromAnywhere(), ...bearer(token) }),
  }
}

const addReviewer = (stack: Stack) => addUser(stack, { accountId: null, role: 'reviewer' })
