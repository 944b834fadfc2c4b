import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Credential, Operation } from '../../api/http/operation.ts'
import { operations } from '../../api/operations.ts'
import { newId } from '../../domain/id.ts'
import { assertError, bearer, fromAnywhere } from '../support/api.ts'
import { addOnboardingToken } from '../support/connected-account.ts'
import { addToken } from '../support/portal.ts'
import { fillPath, type Fixtures, idParameterOf, make } from '../support/resource.ts'
import { makers, routes } from '../support/resources.ts'
import { addInvitation } from '../support/team.ts'
import { useApi, useStack } from '../support/use-stack.ts'
import { addUser } from '../support/user.ts'

// Every operation that can have a body gets each hostile one, from a caller whom it knows and from one whom it does not
// know. The ids of the paths name nothing, so that no call changes anything: a body is read before its id is looked up.
const stack = await useStack({ workers: false, invariants: 'at the end' })
await useApi(stack)
const accountId = stack.organizationId
let fixtures: Fixtures
before(async () => {
  const nothing = { product_id: newId('prod', 0), charge_id: newId('pay', 0), quote_id: newId('quo', 0) }
  const customer_id = await make(stack.merchant, '/v1/customers', { email: 'known@example.com' }, 'customer_id')
  fixtures = { ...nothing, destination: newId('pd', 0), customer_id }
})

type Bodies = Record<string, string>

const megabytes = `{"description":"${'x'.repeat(20 * 1024 * 1024)}"}`
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

/** JSON in which each value of a body is the same piece of JSON. */
const filled = (names: string[], json: string): string =>
  `{${names.map((name) => `${JSON.stringify(name)}:${json}`).join(',')}}`

/** Hostile values in every field that an operation knows, and a valid body with hostile fields beside it. */
function bodiesFor({ body: schema, method, path }: Operation): Bodies {
  const names = [...Object.keys(schema?.properties ?? {}), 'metadata', 'amount', 'unknown']
  const { bodies, body = {} } = routes[`${method.toUpperCase()} ${path}`] ?? {}
  const valid = bodies?.(fixtures)[0] ?? (typeof body === 'string' ? {} : body)
  const beside = (json: string) => `{${json}${JSON.stringify(valid).slice(1)}`.replace(',}', '}')
  const inherited = '{"isAdmin":true,"polluted":true}'
  return {
    'NUL in every field': filled(names, '"a\\u0000b"'),
    'NUL as a byte': filled(names, '"a\0b"'),
    'a lone surrogate in every field': filled(names, '"\\ud800"'),
    'a lone surrogate in names': beside('"\\udfff":{"\\ud800":"\\ud800"},'),
    'the number 1e1000000': filled(names, '1e1000000'),
    'the text 1e1000000': filled(names, '"1e1000000"'),
    'a number of 30 digits': filled(names, '9'.repeat(30)),
    'a text of 30 digits': filled(names, `"${'9'.repeat(30)}.99"`),
    '40,000 arrays, one in the other': filled(names.slice(0, 1), nested(40_000)),
    'arrays that never end': `{"a":${'['.repeat(90_000)}`,
    '20 MB': megabytes,
    __proto__: beside(`"__proto__":${inherited},"constructor":{"prototype":${inherited}},`),
    '__proto__ in every field': filled(names, `{"__proto__":${inherited},"constructor":{"prototype":${inherited}}}`),
  }
}

const tokens: Record<Exclude<Credential, 'apiKey' | 'user' | 'none'>, () => Promise<string>> = {
  clientSecret: async () => (await stack.merchant.createCheckout()).client_secret,
  customerToken: () => addToken(stack, { accountId, environment: 'sandbox', customerId: fixtures.customer_id }),
  onboardingToken: () => addOnboardingToken(stack, accountId),
  invitationToken: async () => (await addInvitation(stack, { accountId })).token,
}

async function credentialFor({ auth, forStaff }: Operation): Promise<string> {
  if (auth.includes('apiKey')) return stack.merchant.apiKey
  const other = auth.find((each) => each in tokens) as keyof typeof tokens | undefined
  if (other) return tokens[other]()
  return (await addUser(stack, { accountId, role: forStaff ? 'reviewer' : 'owner' })).token()
}

for (const operation of operations.filter(({ method }) => method !== 'get')) {
  const { method, path, auth } = operation
  test(`${method.toUpperCase()} ${path} answers each hostile body as documented`, async () => {
    const prefix = makers[idParameterOf(path) ?? '']?.prefix ?? 'pay'
    const filledPath = fillPath(path, newId(prefix, 0), newId('acct', 0))
    const known = await credentialFor(operation)
    for (const [what, body] of Object.entries(bodiesFor(operation))) {
      for (const token of [known, 'sk_sandbox_of_nobody']) {
        const headers = { ...bearer(token), ...fromAnywhere() }
        // It compares each answer with the description of the operation.
        const reply = await stack.merchant.call(method.toUpperCase(), filledPath, body, headers)
        const said = `${what}: ${reply.status} ${reply.text.slice(0, 300)}`
        assert.ok(reply.status < 500, said)
        if (reply.status >= 400) assertError(reply, reply.status, String(reply.body['error_code']))
        if (token !== known && !auth.includes('none')) assert.equal(reply.status, 401, said)
      }
    }
    assert.equal('polluted' in {}, false, 'no object has inherited a field of a body')
  })
}
