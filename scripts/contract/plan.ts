import { operations } from '../../api/operations.ts'
import { ApiKey, newKey } from '../../db/access/api-key.ts'
import { Account } from '../../db/core/account.ts'
import { newId } from '../../domain/id.ts'
import { addOnboardingToken } from '../../test/support/connected-account.ts'
import { disputing } from '../../test/support/dispute.ts'
import { createLogins } from '../../test/support/login.ts'
import { addDestination } from '../../test/support/payout.ts'
import { tokenForOwnerOf } from '../../test/support/portal.ts'
import { idParameterOf, make as create, type Made, type Owner } from '../../test/support/resource.ts'
import { makers } from '../../test/support/resources.ts'
import type { Stack } from '../../test/support/stack.ts'
import { subscriptionsOf } from '../../test/support/subscription.ts'
import { addInvitation } from '../../test/support/team.ts'
import { exchanging } from '../../test/support/conversion.ts'
import { buyer, card, cards, sale, transferSale } from '../../test/support/merchant.ts'
import { pdf, sendFile } from '../../test/support/upload.ts'
import { addUser } from '../../test/support/user.ts'
import { nameOf } from './name.ts'

/**
 * What a valid call is made with: the ids of its path, its credential, and fields of its body. A field that is null is
 * left out of the body.
 */
export type Prepared = { ids?: Record<string, string>; token?: string; body?: Record<string, unknown> }

/** What the valid calls of each operation are made with, in turn. An operation that is not in it needs nothing. */
export type Plan = Record<string, Prepared[]>

export type Owners = {
  stack: Stack
  /** The organization of the API key. */
  merchant: Owner
  /** The organization of the people: they may end it, and the calls of the API key go on. */
  people: Owner
}

/** Resources of people; everything else belongs to the API key's organization. */
const ofPeople = new Set(['api_key_id', 'user_id', 'invitation_id', 'session_id'])
/** So many resources are made at once. More would be refused, as the service protects itself from overload. */
const atOnce = 3
/** So often an operation can be called that uses up what it is called with. */
const times = 4

/**
 * Gives a resource of its own to each operation that changes one, as another call may have ended it otherwise, and to
 * each whose path names a resource and its parent. Adds what the bodies need.
 */
export async function preparePlan(owners: Owners): Promise<Plan> {
  const plan: Plan = {}
  const waiting = operations.filter(({ method, path }) => {
    const named = path.match(/\{(?!capability)\w+\}/g)?.length ?? 0
    return makers[idParameterOf(path) ?? ''] && (method !== 'get' || named > 1)
  })
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let each = waiting.pop(); each; each = waiting.pop()) plan[nameOf(each)] = [await prepareOwn(owners, each)]
    }),
  )
  for (const [name, prepared] of Object.entries(await prepareBodies(owners))) {
    const [own] = plan[name] ?? []
    plan[name] = prepared.map((each) => ({ ...own, ...each }))
  }
  return plan
}

/** Makes a resource by calls, where calls can make it, as the tests of all routes do. */
export async function makeOne({ stack, merchant, people }: Owners, name: string): Promise<Made> {
  const { make, makeByCalls = make } = makers[name] ?? {}
  const made = await makeByCalls?.(stack, ofPeople.has(name) ? people : merchant, 'sandbox')
  if (!made) throw new Error(`nothing makes ${name}`)
  return made
}

type Called = { path: string; auth: readonly string[] }

/** A resource for the calls of one operation, and a credential that opens it. */
async function prepareOwn(owners: Owners, { path, auth }: Called): Promise<Prepared> {
  const name = idParameterOf(path) ?? ''
  const made = await makeOne(owners, name)
  const { stack } = owners
  const customer = auth.includes('customerToken') ? await tokenForOwnerOf(stack, made.id) : undefined
  const token = auth.includes('clientSecret') ? made.secret : (customer ?? made.person)
  return { ids: { ...made.parents, [name]: made.id }, ...(token && { token }) }
}

/** What must be in a body, or in a credential, so that a call can succeed. */
async function prepareBodies(owners: Owners): Promise<Plan> {
  const parts = [prepareSales, prepareMoney, prepareSubscriptions, preparePlatform, prepareLogins]
  const plan: Plan = {}
  for (const part of parts) Object.assign(plan, await part(owners))
  return plan
}

const several = <T>(make: (n: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: times }, (_, n) => make(n)))

async function prepareSales({ merchant: { keys } }: Owners): Promise<Plan> {
  const { merchant } = keys.sandbox
  const chosen = await merchant.createCheckout()
  await merchant.pay(chosen, { payment_method: 'USD_CARD', card: card(cards.success) })
  const partly = await merchant.payByTransfer(await merchant.createCheckout({ ...transferSale, customer: buyer }))
  await merchant.deposit(partly.payment_id, { amount: '1000.00' })
  const { product_id: product } = await productOf(merchant)
  const waiting = await merchant.createCheckout()
  const charged = await merchant.chargeByCard({ ...sale, amount: '900.00' })
  await merchant.refund(charged, { amount: 1 })
  const disputed = disputing(merchant)
  const { dispute_id } = await disputed.raise(await merchant.chargeByCard())
  await disputed.change(dispute_id, { uncategorized_text: 'It was delivered.', submit: true })
  return {
    'POST /v1/checkout-sessions/{checkout_id}/confirm': [
      { ids: { checkout_id: chosen.checkout_id }, token: chosen.client_secret },
    ],
    'POST /v1/payments/{payment_id}/accept': [{ ids: { payment_id: partly.payment_id } }],
    'POST /api/v1/payments/refunds': [{ body: { charge_id: charged, amount: 1, refund_address: null } }],
    'GET /api/v1/payments/payins/{charge_id}/refund': [{ ids: { charge_id: charged } }],
    'POST /v1/test-helpers/payments/{payment_id}/dispute': [{ ids: { payment_id: await merchant.chargeByCard() } }],
    'POST /v1/test-helpers/disputes/{dispute_id}/settle': [{ ids: { dispute_id } }],
    'POST /v1/customers': await several(async (n) => ({ body: { email: `customer${n}@example.com` } })),
    'POST /v1/product-groups': [{ body: { products: [product] } }],
    'PATCH /v1/product-groups/{product_group_id}': [{ body: { products: [product] } }],
    'POST /v1/test-helpers/clocks/{clock_id}/attach': [{ body: { ...noMember, checkout_id: [waiting.checkout_id] } }],
  }
}

const noMember = { account_id: null, payment_id: null, refund_id: null, payout_id: null, conversion_id: null }

const productOf = async ({ call }: Owner['keys']['sandbox']['merchant'], more: object = {}) => {
  const product = { name: 'Plan', price_type: 'fixed', amount: '5.00', currency: 'USD', ...more }
  return (await call('POST', '/v1/products', product)).body as unknown as { product_id: string }
}

async function prepareMoney({ stack, merchant: { accountId, keys } }: Owners): Promise<Plan> {
  const { merchant } = keys.sandbox
  const destination = await addDestination(stack, { accountId, environment: 'sandbox' })
  const payout = { destination, amount: '1500.00', quote_id: null, source_currency: null }
  const quote = { from_currency: 'USD', to_currency: 'NGN', to_amount: null, from_amount: '100.00' }
  return {
    'POST /v1/payouts': [{ body: payout }],
    'POST /v1/payouts/estimate': [{ body: payout }],
    'POST /v1/conversions/quotes': [{ body: quote }],
    'POST /v1/conversions': await several(async () => {
      const { quote_id } = await exchanging(merchant).quote()
      return { body: { quote_id } }
    }),
    'POST /v1/transfers/{transfer_id}/reversals': [{ body: { amount: '1.00' } }],
    'POST /v1/platform-fees/{platform_fee_id}/refund': [{ body: { amount: '1.00' } }],
  }
}

async function prepareSubscriptions({ stack, merchant: { keys } }: Owners): Promise<Plan> {
  const { merchant } = keys.sandbox
  const selling = subscriptionsOf(stack, merchant)
  const { product_id } = await productOf(merchant, { recurring: { interval: 'month', interval_count: 1 } })
  const paused = await selling.subscribe()
  await selling.act(paused.subscription_id, 'pause')
  const ending = await selling.subscribe()
  await selling.act(ending.subscription_id, 'cancel', { at_period_end: true })
  const invoice = (await selling.invoices(paused.subscription_id))[0]?.invoice_id ?? ''
  const next = { product_id, amount: null }
  const [one, portal] = ['/v1/subscriptions/{subscription_id}', '/v1/customer-portal/subscriptions/{subscription_id}']
  const sold = await selling.subscribe()
  return {
    [`POST ${one}/change-plan`]: [{ body: next }],
    [`POST ${one}/preview-change`]: [{ body: next }],
    [`POST ${one}/pause`]: [{ body: { resumes_at: null } }],
    [`POST ${one}/resume`]: [{ ids: { subscription_id: paused.subscription_id } }],
    [`POST ${one}/uncancel`]: [{ ids: { subscription_id: ending.subscription_id } }],
    'GET /v1/customer-portal/invoices/{invoice_id}': [
      { ids: { invoice_id: invoice }, token: await tokenForOwnerOf(stack, invoice) },
    ],
    [`POST ${portal}/payment-method`]: [
      {
        ids: { subscription_id: sold.subscription_id },
        token: await tokenForOwnerOf(stack, sold.subscription_id),
        body: { payment_method_id: sold.payment_method_id },
      },
    ],
    'POST /v1/customer-sessions': [{ body: { customer_id: sold.customer.id, flow: null } }],
    'POST /v1/customers/{customer_id}/payment-methods': [
      { ids: { customer_id: sold.customer.id }, body: { payment_method_id: sold.payment_method_id } },
    ],
  }
}

async function preparePlatform({ stack, merchant, people }: Owners): Promise<Plan> {
  const { sandbox } = merchant.keys
  const connected = (await makeOne({ stack, merchant, people }, 'account_id')).id
  const receiver = (await makers['account_id']?.make(stack, merchant, 'sandbox'))?.id ?? ''
  const keyOfOthers = async () => {
    const { accountId, id: api_key_id } = await addKeyOwner(stack)
    const person = await addUser(stack, { accountId, role: 'owner' })
    return { ids: { api_key_id }, token: await person.token() }
  }
  const file = (await sendFile(sandbox.merchant, pdf, 'paper.pdf')).body['upload_id']
  const opened = async () => ({ token: await addOnboardingToken(stack, connected) })
  const invited = async () => ({ token: (await addInvitation(stack, people)).token })
  return {
    'PATCH /api/v1/auth/api-keys/{api_key_id}': [await keyOfOthers()],
    'POST /api/v1/auth/api-keys/{api_key_id}/revoke': [await keyOfOthers()],
    'POST /v1/virtual-accounts': await several(async (n) => ({
      body: { customer_id: await customerOf(sandbox.merchant, `holder${n}@example.com`), currency: 'NGN' },
    })),
    'POST /v1/transfers': [{ body: { destination: receiver, amount: '1.00', currency: 'USD' } }],
    'POST /v1/accounts/{account_id}/documents': [{ body: { file } }],
    'POST /v1/disputes/{dispute_id}/documents': [{ body: { file } }],
    'GET /v1/onboarding': [await opened()],
    'POST /v1/onboarding/end': await several(opened),
    'GET /v1/invitation': [await invited()],
    'POST /v1/invitation/accept': await several(invited),
    'POST /v1/invitation/confirm': [await invited()],
  }
}

/** Another organization with one active key. Only one is active in an environment, so each change needs its own. */
async function addKeyOwner({ database, services }: Stack): Promise<{ accountId: string; id: string }> {
  const accountId = await openOrganization({ database })
  const details = { accountId, environment: 'sandbox' as const, name: 'A key', scopes: [] }
  const { row } = newKey(services.config.keyPepper, details, Date.now())
  await database.orm.em.fork().insert(ApiKey, row)
  return { accountId, id: row.id }
}

const customerOf = async (merchant: Owner['keys']['sandbox']['merchant'], email: string): Promise<string> =>
  create(merchant, '/v1/customers', { email }, 'customer_id')

/** Another organization, so that its people cannot revoke the API key that the calls use. Returns its id. */
export async function openOrganization({ database }: Pick<Stack, 'database'>): Promise<string> {
  const accountId = newId('acct', Date.now())
  const account = { id: accountId, name: 'Another Organization', createdAt: new Date() }
  await database.orm.em.fork().insert(Account, account)
  return accountId
}

/** People with a real password, for the calls that ask for it. */
async function prepareLogins({ stack, people: { accountId } }: Owners): Promise<Plan> {
  const logins = createLogins(stack)
  const added = (more: object = {}) => logins.addPerson({ accountId, ...more })
  /** A person who has signed in by the first of their backup codes; the next one is not used. */
  const signedIn = async () => {
    const person = await added()
    const [first = '', code = ''] = person.backupCodes
    const reply = await logins.sendCode(await logins.challenge(person), first, 'backup')
    const { access_token: token, refresh_token } = reply.body as unknown as Record<string, string>
    const proof = { password: person.password, code, code_type: 'backup' }
    return { ...person, token: token ?? '', refresh_token, proof }
  }
  const auth = '/api/v1/auth'
  const { password, proof, token } = await signedIn()
  const { proof: ofNewApp, token: newApp } = await signedIn()
  const changing = await signedIn()
  const changed = { current_password: changing.password, code: changing.proof.code, code_type: 'backup' }
  return {
    [`POST ${auth}/login`]: await several(async () => {
      const { email, password: known } = await added()
      return { body: { email, password: known, login_token: await logins.beginLogin() } }
    }),
    [`POST ${auth}/login/2fa/verify`]: await several(async () => {
      const person = await added()
      const { challenge_id } = await logins.challenge(person)
      return { body: { challenge_id, code: person.backupCodes[0], code_type: 'backup' } }
    }),
    [`POST ${auth}/login/2fa/resend`]: await several(async () => {
      const { challenge_id } = await logins.challenge(await added({ method: 'email_otp' }))
      return { body: { challenge_id } }
    }),
    [`POST ${auth}/refresh`]: await several(async () => ({
      body: { refresh_token: (await signedIn()).refresh_token },
    })),
    [`POST ${auth}/logout`]: await several(async () => {
      const { token: leaving, refresh_token } = await signedIn()
      return { token: leaving, body: { refresh_token } }
    }),
    [`POST ${auth}/backup-codes`]: [{ token, body: { password, code: proof.code, code_type: 'backup' } }],
    [`POST ${auth}/authenticator`]: [{ token: newApp, body: ofNewApp }],
    [`POST ${auth}/password`]: [{ token: changing.token, body: { ...changed, new_password: 'a-quite-new-password' } }],
  }
}
