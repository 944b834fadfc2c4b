import Type from 'typebox'
import { assertCapable } from '../../db/platform/capability.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { findVirtualAccountOf, VirtualAccount as VirtualAccountRow } from '../../db/platform/virtual-account.ts'
import { Refusal, unsupportedCurrency } from '../../domain/refusal.ts'
import { idParameter, nameOf, page, pageQuery, sentCurrency } from '../../schemas/common.ts'
import { PhoneNumber } from '../../schemas/customer.ts'
import { presentVirtualAccount, VirtualAccount } from '../../schemas/platform/virtual-account.ts'
import { createdRange, whereMatching } from '../http/filters.ts'
import { type Caller, ExistingResource, operation } from '../http/operation.ts'
import { listPage } from '../http/pagination.ts'
import { holderOf, openVirtualAccount } from './open-virtual-account.ts'

const CreateVirtualAccount = Type.Object(
  {
    customer_id: Type.Optional(idParameter('cust')),
    currency: sentCurrency({ minLength: 3, maxLength: 10, examples: ['NGN'] }),
    account_name: Type.Optional(nameOf(255, { examples: ['Ada Buyer'] })),
    phone_number: Type.Optional(PhoneNumber),
  },
  { $id: 'CreateVirtualAccount' },
)

export const createVirtualAccount = operation({
  method: 'post',
  path: '/v1/virtual-accounts',
  summary: 'Create a virtual account of a customer, or your own; a second call returns the same one',
  tag: 'Virtual accounts',
  auth: ['apiKey'],
  scope: 'virtual_accounts:write',
  mode: 'process',
  makes: 'va',
  body: CreateVirtualAccount,
  returns: [201, VirtualAccount],
  findsExisting: true,
  refuses: ['CURRENCY_NOT_SUPPORTED', 'CAPABILITY_NOT_ACTIVE', 'ACCOUNT_NOT_ACTIVATED', 'NOT_FOUND'],

  async handle({ body, caller: { accountId, environment }, em, ...parts }) {
    const owner = { accountId, environment }
    await assertCapable(em, owner, 'virtual_accounts')
    if (!parts.services.rails.in(environment).opensAccounts)
      throw new Refusal('ACCOUNT_NOT_ACTIVATED', 'no live bank serves this account yet')
    const { currency } = body
    if (currency !== 'NGN') throw unsupportedCurrency('currency', ['NGN'])
    const holder = await holderOf(em, owner, body)
    const known = await findVirtualAccountOf(em, owner, holder.customerId, currency)
    const row = known ?? (await openVirtualAccount(owner, holder, parts))
    // A call under the same key that was cut off may have made it.
    const shown = presentVirtualAccount(row)
    return row.id === parts.callId ? shown : new ExistingResource(shown)
  },
})

export const VirtualAccountId = Type.Object({ virtual_account_id: idParameter('va') })

/** The caller's own virtual account. Another account's is refused like one that does not exist. */
export async function findVirtualAccount(
  em: EntityManager,
  { accountId, environment }: Caller,
  id: string,
): Promise<Readonly<VirtualAccountRow>> {
  const row = await em.findOne(VirtualAccountRow, { id, accountId, environment })
  if (!row) throw new Refusal('NOT_FOUND', 'no such virtual account')
  return row
}

export const getVirtualAccount = operation({
  method: 'get',
  path: '/v1/virtual-accounts/{virtual_account_id}',
  summary: 'Read a virtual account',
  tag: 'Virtual accounts',
  auth: ['apiKey'],
  scope: 'virtual_accounts:read',
  params: VirtualAccountId,
  returns: [200, VirtualAccount],
  refuses: ['NOT_FOUND'],

  async handle({ params, caller, em }) {
    return presentVirtualAccount(await findVirtualAccount(em, caller, params.virtual_account_id))
  },
})

const ListVirtualAccounts = Type.Object({
  ...pageQuery,
  ...createdRange,
  customer_id: Type.Optional(Type.String({ maxLength: 64 })),
})

export const listVirtualAccounts = operation({
  method: 'get',
  path: '/v1/virtual-accounts',
  summary: 'List virtual accounts, newest first',
  tag: 'Virtual accounts',
  auth: ['apiKey'],
  scope: 'virtual_accounts:read',
  query: ListVirtualAccounts,
  returns: [200, page(VirtualAccount)],
  refuses: [],

  async handle({ query, caller, em, services }) {
    const where = whereMatching(caller, query, { customer_id: 'customerId' })
    const { rows, pagination } = await listPage({ em, services }, VirtualAccountRow, where, query)
    return { items: rows.map(presentVirtualAccount), pagination }
  },
})
