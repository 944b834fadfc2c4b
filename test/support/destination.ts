import assert from 'node:assert/strict'
import { bearer } from './api.ts'
import { destinations, type Rail } from './destination-examples.ts'
import type { Merchant, Reply } from './merchant.ts'
import type { TestUser } from './user.ts'

type Body = Record<string, unknown>
export type Destination = { id: string; status: string; is_usable: boolean; is_default: boolean } & Body

const path = '/v1/payouts/destinations'
export const destinationPath = ({ id }: { id: string }) => `${path}/${id}`
/** A number that the sandbox leaves to a reviewer. */
export const leftOpen = { account_number: '0123450008' }

async function ok(reply: Promise<Reply>, status = 200): Promise<Destination> {
  const { status: actual, text, body } = await reply
  assert.equal(actual, status, text)
  return body as unknown as Destination
}

export const requestRegistration = (merchant: Merchant, rail: Rail, more: Body = {}) =>
  merchant.call('POST', path, { name: 'Main account', ...destinations[rail], ...more })
export const register = (merchant: Merchant, rail: Rail = 'NGN', more: Body = {}) =>
  ok(requestRegistration(merchant, rail, more), 201)
export const read = (merchant: Merchant, of: { id: string }) => ok(merchant.call('GET', destinationPath(of)))
export const requestChange = (merchant: Merchant, of: { id: string }, body: Body) =>
  merchant.call('PATCH', destinationPath(of), body)
export const change = (merchant: Merchant, of: { id: string }, body: Body) => ok(requestChange(merchant, of, body))

/** Calls with a person's token, such as that of a reviewer. */
export const callAs = async (merchant: Merchant, user: TestUser, method: string, to: string, body?: Body) =>
  merchant.call(method, to, body, bearer(await user.token()))

export const requestReview = (merchant: Merchant, user: TestUser, { id }: { id: string }, body: Body) =>
  callAs(merchant, user, 'POST', `/api/v1/admin/payout-destinations/${id}/review`, body)
export const approve = (merchant: Merchant, user: TestUser, of: { id: string }) =>
  ok(requestReview(merchant, user, of, { decision: 'approve' }))
/** Registers a destination that the sandbox does not decide about by itself, and approves it. */
export const registerApproved = async (
  merchant: Merchant,
  reviewer: TestUser,
  rail: Rail = 'NGN',
  more: Body = leftOpen,
) => approve(merchant, reviewer, await register(merchant, rail, more))
export const reject = (
  merchant: Merchant,
  user: TestUser,
  of: { id: string },
  reason = 'The holder is somebody else',
) => ok(requestReview(merchant, user, of, { decision: 'reject', reason }))
