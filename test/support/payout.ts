import { PayoutDestination } from '../../db/payout-destination.ts'
import type { Tenant } from '../../db/columns.ts'
import { newId } from '../../domain/id.ts'
import type { Stack } from './stack.ts'

type Ground = Pick<Stack, 'database'>

/** The last four digits by which the sandbox's rails know what to do. */
export const lastFour = { completes: '0001', fails: '0002', neverAnswers: '0003', completesSoon: '1234' }

type NewDestination = Partial<Pick<PayoutDestination, 'type' | 'currency' | 'scheme' | 'status'>> & { ends?: string }

/** A destination that has been approved; `ends` are the last four characters of its number or address. */
export async function addDestination(
  { database }: Ground,
  owner: Tenant,
  { type = 'bank_account', currency = 'NGN', scheme = null, status = 'approved', ends = '0001' }: NewDestination = {},
): Promise<string> {
  const now = new Date()
  const id = newId('pd', now.getTime())
  const none = { accountNumber: null, accountName: null, bankCode: null, bankName: null, scheme }
  const nowhere = { phoneNumber: null, mobileProvider: null, walletAddress: null, network: null }
  const where = {
    bank_account: { accountNumber: `912834${ends}`, accountName: 'Marked Holder', bankCode: '058', bankName: 'A bank' },
    mobile_money: { phoneNumber: `+25470000${ends}`, mobileProvider: 'mpesa' },
    crypto_wallet: { walletAddress: `TMarkedWalletAddress${ends}`, network: 'TRC20' },
  }
  await database.orm.em.fork().insert(PayoutDestination, {
    ...{ id, ...owner, name: 'Our own', type, currency, status, statusReason: null, isDefault: false },
    ...{ ...none, ...nowhere, ...where[type], metadata: {}, revision: 1 },
    ...{ reviewedAt: status === 'pending_review' ? null : now, deactivatedAt: null, createdAt: now, updatedAt: now },
  })
  return id
}
