import assert from 'node:assert/strict'
import { hashToken } from '../../db/core/token-hash.ts'
import { OnboardingSession } from '../../db/platform/onboarding-session.ts'
import type { Environment } from '../../domain/access/scope.ts'
import { newId } from '../../domain/id.ts'
import type { Capability, CapabilityStatus } from '../../domain/platform/capability.ts'
import type { AccountStatus } from '../../domain/platform/requirement.ts'
import type { Merchant, Reply } from './merchant.ts'
import { eventsAbout } from './resource-rows.ts'
import type { Stack } from './stack.ts'
import { settled } from './settled.ts'
import { addImage, pdf, sendFile } from './upload.ts'

/** An account as the API answers it. */
export type ConnectedAccount = {
  account_id: string
  status: AccountStatus
  status_reason: string | null
  requirements: {
    currently_due: string[]
    eventually_due: string[]
    past_due: string[]
    pending_verification: string[]
    errors: { code: string; reason: string }[]
    current_deadline: string | null
    disabled_reason: string | null
  }
  capabilities: Record<Capability, CapabilityStatus>
  persons: { person_id: string; roles: string[] }[]
  charges_enabled: boolean
  payouts_enabled: boolean
  [field: string]: unknown
}

const address = { line1: '12 Marina Road', city: 'Lagos', postal_code: '101241', country: 'NG' }

/** Everything that an account itself has to state at once. */
export const stated = {
  email: 'books@example.com',
  business_profile: {
    name: 'Example Books',
    product_category: 'ebooks',
    product_description: 'School books in print and for reading on a phone',
  },
  terms_acceptance: { accepted: true },
}
export const company = {
  name: 'Example Books Ltd',
  registration_number: 'RC123456',
  tax_id: '12345678-0001',
  address,
  owners_provided: true,
}
/** A person who may be everything for an account. */
export const representative = {
  roles: ['representative', 'owner', 'director'],
  percent_ownership: 60,
  first_name: 'Ada',
  last_name: 'Obi',
  phone_number: '+2348012345678',
  address,
  date_of_birth: '1990-04-12',
  id_number: '22212345678',
}

const answered = ({ status, text, body }: Reply, wanted: number): Reply['body'] => {
  assert.equal(status, wanted, text)
  return body
}

export const readAccount = async (merchant: Merchant, id: string): Promise<ConnectedAccount> =>
  answered(await merchant.call('GET', `/v1/accounts/${id}`), 200) as unknown as ConnectedAccount

export const changeAccount = async (merchant: Merchant, id: string, body: object): Promise<ConnectedAccount> =>
  answered(await merchant.call('PATCH', `/v1/accounts/${id}`, body), 200) as unknown as ConnectedAccount

/** A new connected account; by default a company in Nigeria that has stated nothing. */
export async function createAccount(merchant: Merchant, body: object = {}): Promise<ConnectedAccount> {
  const sent = { country: 'NG', business_type: 'company', ...body }
  return answered(await merchant.call('POST', '/v1/accounts', sent), 201) as unknown as ConnectedAccount
}

export const addDocument = async (merchant: Merchant, id: string, slot: string): Promise<Reply['body']> => {
  const file = String((await sendFile(merchant, pdf, 'paper.pdf')).body['upload_id'])
  return answered(await merchant.call('POST', `/v1/accounts/${id}/documents`, { file, document: slot }), 201)
}

export const addPerson = async (merchant: Merchant, id: string, body: object): Promise<string> =>
  String(answered(await merchant.call('POST', `/v1/accounts/${id}/persons`, body), 201)['person_id'])

export const personPath = (id: string, personId: string): string => `/v1/accounts/${id}/persons/${personId}`

/** A fragment of what an account states, by which a test chooses what the sandbox or staff decide. */
export type Stating = { company?: object; representative?: object; account?: object }

/** A company that has provided everything that is due now, by calls: nothing is left but a decision. */
export async function completeAccount(merchant: Merchant, stating: Stating = {}): Promise<ConnectedAccount> {
  const { account_id: id } = await createAccount(merchant, {
    ...stated,
    company: { ...company, ...stating.company },
    ...stating.account,
  })
  const image = await addImage(merchant)
  await addPerson(merchant, id, { ...representative, id_document: image, ...stating.representative })
  await addDocument(merchant, id, 'company.certificate_of_incorporation')
  return readAccount(merchant, id)
}

/** A registration number about which the sandbox leaves the decision to staff. */
export const forStaff: Stating = { company: { registration_number: 'RC120008' } }

/** A token of an account's hosted page, written as the service writes it. */
export async function addOnboardingToken(
  { database }: Pick<Stack, 'database'>,
  accountId: string,
  environment: Environment = 'sandbox',
): Promise<string> {
  const at = Date.now()
  const id = newId('os', at)
  const token = `${id}_secret_${'t'.repeat(32)}`
  const urls = { returnUrl: 'https://example.com', refreshUrl: 'https://example.com' }
  const times = { createdAt: new Date(at), expiresAt: new Date(at + 3_600_000) }
  const session = { id, accountId, environment, tokenHash: hashToken(token), ...urls, ...times }
  await database.orm.em.fork().insert(OnboardingSession, session)
  return token
}

/** What waits until its process only waits, and how time passes for it. */
export function withAccounts(stack: Stack) {
  const rests = async (id: string): Promise<void> => {
    await stack.dispatched()
    await settled(stack.client, 'account-review', id)
  }
  return {
    /** Waits until the account's process has done what there is to do. */
    rests,
    async skip(id: string, ms: number): Promise<void> {
      await stack.skip(ms)
      await rests(id)
    },
    read: (id: string) => readAccount(stack.merchant, id),
    change: (id: string, body: object) => changeAccount(stack.merchant, id, body),
    /** An account that staff have to decide about, and whose process waits for them. */
    async waiting(stating: Stating = {}): Promise<ConnectedAccount> {
      const made = await completeAccount(stack.merchant, { ...forStaff, ...stating })
      await rests(made.account_id)
      return made
    },
    /** An account that the sandbox has approved. */
    async active(stating: Stating = {}): Promise<ConnectedAccount> {
      const { account_id: id } = await completeAccount(stack.merchant, stating)
      await rests(id)
      await stack.skip(6_000)
      await rests(id)
      const account = await readAccount(stack.merchant, id)
      assert.equal(account.status, 'active')
      return account
    },
    /** The revision and the state of an account's reviews, the oldest first. */
    reviews: (id: string) =>
      stack.sql<{ revision: number; state: string; decision: string | null }>(
        `select revision, state, decision from reviews where type = 'account' and resource_id = ? order by revision`,
        [id],
      ),
    /** The types of the events about an account, the oldest first. */
    events: (id: string) => eventsAbout(stack, id),
  }
}
