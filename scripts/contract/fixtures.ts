import { createAccessTokens } from '../../api/access/access-token.ts'
import { passwords } from '../../db/access/password.ts'
import { systemClock } from '../../engine/clock.ts'
import type { Deployment } from '../../test/proof/deployment.ts'
import type { Merchant } from '../../test/support/merchant.ts'
import { endow } from '../../test/support/conversion.ts'
import { tokenForOwnerOf } from '../../test/support/portal.ts'
import type { Owner } from '../../test/support/resource.ts'
import { makers } from '../../test/support/resources.ts'
import type { Stack } from '../../test/support/stack.ts'
import { until } from '../../test/support/until.ts'
import { addUser } from '../../test/support/user.ts'
import { makeOne, openOrganization, type Owners, type Plan, preparePlan } from './plan.ts'

/** What the calls need: ids of existing resources, by the name of the path's parameter, and credentials for them. */
export type Fixtures = {
  ids: Record<string, string>
  apiKey: string
  /** Of the session in `ids`, and of the customer of the subscription in `ids`. */
  tokens: Partial<Record<string, string>>
  /** Logs new people in. */
  logIn: () => Promise<People>
  plan: Plan
}

/** Access tokens by role, valid for 15 minutes. There are many, as a user may make only 100 calls a minute. */
export type People = Record<'owner' | 'reviewer', string[]>

const PEOPLE_MAX = 40

/** Creates one of each resource by calls, as merchants do. */
export async function prepareFixtures(deployment: Deployment, merchant: Merchant): Promise<Fixtures> {
  const stack = stackOf(deployment, merchant)
  const owners = {
    stack,
    merchant: ownerOf(stack.organizationId, merchant),
    people: ownerOf(await openOrganization(deployment), merchant),
  }
  // Before anything is made: a dispute takes its amount and fee at once, out of what another fixture would spend.
  await endow(stack, owners.merchant.accountId, '1000000', 'USD')
  await endow(stack, owners.merchant.accountId, '10000000', 'NGN')
  const { ids, secret } = await makeAll(owners)
  const { accountId } = owners.people
  const tokensOf = (role: keyof People) =>
    Promise.all(Array.from({ length: PEOPLE_MAX }, async () => (await addUser(stack, { accountId, role })).token()))
  return {
    ids,
    apiKey: merchant.apiKey,
    tokens: { clientSecret: secret, customerToken: await tokenForOwnerOf(stack, ids['subscription_id'] ?? '') },
    logIn: async () => ({ owner: await tokensOf('owner'), reviewer: await tokensOf('reviewer') }),
    plan: await preparePlan(owners),
  }
}

/** What the makers of test objects use of a stack, for a service in processes of its own. */
function stackOf({ database, encrypter, env, organizationId, sql }: Deployment, merchant: Merchant): Stack {
  const config = { keyPepper: Buffer.from(env.KEY_PEPPER, 'base64') }
  const accessTokens = createAccessTokens(database, encrypter)
  const services = { accessTokens, clock: systemClock, config, encrypter, passwords }
  const dispatched = () =>
    until(async () => (await sql('select from outbox limit 1')).length === 0, 'all is dispatched')
  return { database, sql, services, merchant, organizationId, clock: systemClock, dispatched } as unknown as Stack
}

function ownerOf(accountId: string, merchant: Merchant): Owner {
  const key = { id: '', key: merchant.apiKey, accountId, merchant }
  return { accountId, keys: { sandbox: key, live: key } }
}

/** Makes one of each resource whose id a path takes, as the tests of all routes make it. */
async function makeAll(owners: Owners): Promise<{ ids: Fixtures['ids']; secret: string }> {
  const ids: Record<string, string> = {}
  let secret = ''
  for (const name of Object.keys(makers)) {
    const made = await makeOne(owners, name)
    if (name === 'checkout_id') secret = made.secret ?? ''
    ids[name] = made.id
  }
  return { ids, secret }
}
