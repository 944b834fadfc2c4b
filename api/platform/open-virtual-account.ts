import { UniqueConstraintViolationException } from '@mikro-orm/core'
import { Account } from '../../db/core/account.ts'
import type { Tenant } from '../../db/core/columns.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { readRow } from '../../db/core/prepared-statement.ts'
import { Customer } from '../../db/customer/customer.ts'
import { findVirtualAccountOf, VirtualAccount } from '../../db/platform/virtual-account.ts'
import { invalid, Refusal } from '../../domain/refusal.ts'
import { RailRefusal } from '../../rails/rail-refusal.ts'
import { type AccountOrder, IncompleteHolder, type OpenedAccount } from '../../rails/virtual-account-bank.ts'
import { askBank } from '../ask-bank.ts'
import type { Call } from '../http/operation.ts'
import type { Services } from '../http/services.ts'

const currency = 'NGN'

/** What a call says of the account that it wants; what is left out comes from the customer or the account. */
export type Wish = { customer_id?: string; account_name?: string; phone_number?: string }

/** Whose virtual account it is, and what the bank is told of them. */
export type Holder = { customerId: string | null; order: Omit<AccountOrder, 'email'> }

/** The customer, or the account itself where the call names none. Another account's customer is `NOT_FOUND`. */
export async function holderOf(em: EntityManager, owner: Tenant, wish: Wish): Promise<Holder> {
  const { customer_id: id, account_name: name, phone_number: phone = null } = wish
  const { accountId, environment } = owner
  const customer = id === undefined ? null : await em.findOne(Customer, { accountId, environment, id })
  if (id !== undefined && !customer) throw new Refusal('NOT_FOUND', 'no such customer')
  const account = await readRow(em, Account, { id: accountId })
  if (!account) throw new Error(`there is no account ${accountId}`)
  const order = {
    currency,
    holderId: customer?.id ?? accountId,
    name: name ?? customer?.name ?? account.name,
    phoneNumber: phone ?? customer?.phoneNumber ?? null,
  } as const
  return { customerId: customer?.id ?? null, order }
}

/** A number that the bank has given to somebody else already; the sandbox's bank gives another one. */
const triesMax = 3

type Parts = Pick<Call<undefined, undefined, undefined>, 'commit' | 'now' | 'callId'> & { services: Services }

/** Opens the account at the bank of the owner's environment, and stores it: once, also for several calls at once. */
export async function openVirtualAccount(
  owner: Tenant,
  { customerId, order }: Holder,
  { services, commit, now, callId }: Parts,
): Promise<VirtualAccount> {
  const email = `${order.holderId}@${new URL(services.config.publicUrl).hostname}`
  for (let attempt = 1; ; attempt++) {
    const opened = await openAtBank(services, owner, { ...order, email })
    try {
      return await commit(async (em) => {
        const known = await findVirtualAccountOf(em, owner, customerId, currency)
        return known ?? em.create(VirtualAccount, newAccount(owner, { id: callId, customerId, opened, now }))
      })
    } catch (error) {
      if (!(error instanceof UniqueConstraintViolationException)) throw error
      if (attempt < triesMax) continue
      services.logger.error({ accountId: owner.accountId, customerId }, 'a bank has given a number twice')
      throw new Refusal('SERVICE_UNAVAILABLE', 'the bank has given a number that is taken')
    }
  }
}

async function openAtBank(services: Services, owner: Tenant, order: AccountOrder): Promise<OpenedAccount> {
  try {
    return await askBank(services, () => services.rails.in(owner.environment).virtualAccounts.open(order))
  } catch (error) {
    if (error instanceof IncompleteHolder) throw new Refusal('VALIDATION_ERROR', error.message, error.errors)
    if (!(error instanceof RailRefusal)) throw error
    throw invalid('account_name', 'is, with this phone number, not accepted by the bank', 'value_error')
  }
}

type New = { id: string; customerId: string | null; opened: OpenedAccount; now: number }

const newAccount = ({ accountId, environment }: Tenant, { id, customerId, opened, now }: New) =>
  ({
    id,
    accountId,
    environment,
    customerId,
    currency,
    ...opened,
    createdAt: new Date(now),
  }) as const
