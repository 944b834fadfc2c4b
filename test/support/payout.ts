import { addTimeline } from './rows.ts'
import { PayoutDestination } from '../../db/payout/destination.ts'
import type { Tenant } from '../../db/core/columns.ts'
import { newId } from '../../domain/id.ts'
import type { Stack } from './stack.ts'

type Parts = Pick<Stack, 'database'>

/** The last four digits that decide what the sandbox's rails do. */
export const lastFour = { completes: '0001', fails: '0002', neverAnswers: '0003', completesSoon: '1234' }

type NewDestination = Partial<Pick<PayoutDestination, 'type' | 'currency' | 'scheme'>> & {
  status?: 'approved' | 'rejected'
  ends?: string
}

/** Adds a reviewed destination; `ends` are the last four characters of its number or address. */
export async function addDestination(
  { database }: Parts,
  owner: Tenant,
  { type = 'bank_account', currency = 'NGN', scheme = null, status = 'approved', ends = '0001' }: NewDestination = {},
): Promise<string> {
  const now = new Date()
  const id = newId('pd', now.getTime())
  const none = { accountNumber: null, accountName: null, holderAtBank: null, bankCode: null, bankName: null, scheme }
  const nowhere = { phoneNumber: null, mobileProvider: null, walletAddress: null, network: null }
  const where = {
    bank_account: { accountNumber: `912834${ends}`, accountName: 'Marked Holder', bankCode: '058', bankName: 'A bank' },
    mobile_money: { phoneNumber: `+25470000${ends}`, mobileProvider: 'mpesa' },
    crypto_wallet: { walletAddress: `TMarkedWalletAddress${ends}`, network: 'TRC20' },
  }
  const em = database.orm.em.fork()
  await em.insert(PayoutDestination, {
    id,
    ...owner,
    name: 'Our own',
    type,
    currency,
    status,
    statusReason: null,
    isDefault: false,
    ...none,
    ...nowhere,
    ...where[type],
    metadata: {},
    revision: 1,
    reviewedAt: now,
    deactivatedAt: null,
    createdAt: now,
    updatedAt: now,
  })
  await addReview({ database }, { id, ...owner }, status, 1)
  await addTimeline({ database }, { id, ...owner }, ['pending_review', status])
  return id
}

async function addReview(
  { database }: Parts,
  { id, accountId, environment }: Tenant & { id: string },
  status: 'approved' | 'rejected',
  revision: number,
): Promise<void> {
  await database.orm.em.fork().execute(
    `insert into reviews (id, account_id, environment, type, resource_id, revision, state, reason, decision, decided_at,
       reminds_at, escalates_at, created_at, updated_at)
     values (?, ?, ?, 'payout_destination', ?, ?, 'decided', 'a test', ?, now(), now(), now(), now(), now())`,
    [newId('rvw', Date.now()), accountId, environment, id, revision, status === 'approved' ? 'approve' : 'reject'],
  )
}

/** Gives a destination another account number, which is approved too; its status stays as it is. */
export async function moveDestination({ database }: Parts, owner: Tenant, id: string, number: string): Promise<void> {
  await database.orm.em
    .fork()
    .execute('update payout_destinations set account_number = ?, revision = 2, routing_revision = 2 where id = ?', [
      number,
      id,
    ])
  await addReview({ database }, { id, ...owner }, 'approved', 2)
}
