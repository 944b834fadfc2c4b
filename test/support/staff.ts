import { bearer, fromAnywhere } from './api.ts'
import type { Reply } from './merchant.ts'
import type { Stack } from './stack.ts'
import { addUser, type UserStack } from './user.ts'

/** A logged-in person of the platform's staff, with their calls. */
export async function addStaff(stack: UserStack & Pick<Stack, 'merchant' | 'organizationId'>) {
  const user = await addUser(stack, { accountId: stack.organizationId, role: 'reviewer' })
  const call = async (method: string, path: string, body?: object): Promise<Reply> =>
    stack.merchant.call(method, path, body, { ...fromAnywhere(), ...bearer(await user.token()) })
  return {
    ...user,
    call,
    /** An operator action on a resource, such as `mark-failed` on one of the `refunds`. */
    on: (collection: string, id: string, action: string, body: object = { reason: 'Ordered by a test' }) =>
      call('POST', `/api/v1/admin/${collection}/${id}/${action}`, body),
    /** `review`, `retry`, `mark-settled` or `mark-failed` of a payout. */
    onPayout: (id: string, what: string, body: object) => call('POST', `/api/v1/admin/payouts/${id}/${what}`, body),
    /** `retry`, `mark-settled` or `mark-failed` of a payment. */
    onPayment: (id: string, what: string, body: object) => call('POST', `/api/v1/admin/payments/${id}/${what}`, body),
    /** `retry`, `hold`, `release` or `mark-failed` of a webhook delivery. */
    onDelivery: (id: string, what: string, body: object = { reason: 'A reason' }) =>
      call('POST', `/api/v1/admin/webhook-deliveries/${id}/${what}`, body),
  }
}
