import Type from 'typebox'
import { readRow } from '../../db/core/prepared-statement.ts'
import { Account } from '../../db/core/account.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { banksOf } from '../../domain/payout/bank.ts'
import { isPayoutCurrency, readRouting, type Routing, type StatedRouting } from '../../domain/payout/routing.ts'
import { type FieldError, invalid, Refusal, unsupportedCurrency } from '../../domain/refusal.ts'
import { askBank } from '../ask-bank.ts'
import { type Call, type ValidationContext, operation } from '../http/operation.ts'
import { sentCurrency } from '../../schemas/common.ts'
import { unsupported } from './routing.ts'

/** The only currency whose banks tell who holds an account. */
const resolvable = 'NGN'

type Asker = Pick<Call<undefined, undefined, undefined>, 'caller' | 'services' | 'askOutside'>

/** Asks the bank who holds a Nigerian account. Refuses an account that the bank does not know. */
async function askBankForName({ caller: { environment }, services, askOutside }: Asker, routing: Routing) {
  const { namesHolders, holders } = services.rails.in(environment)
  if (!namesHolders) throw new Refusal('ACCOUNT_NOT_ACTIVATED', 'no live bank serves this account yet')
  const { currency, bank_code: bankCode, account_number: accountNumber } = routing
  if (!bankCode || !accountNumber) throw new Error('a checked routing names a bank and an account')
  const account = { currency, bankCode, accountNumber }
  const ask = () => askBank(services, () => holders.resolveAccount(account))
  const name = await askOutside(JSON.stringify(account), ask)
  if (name === null) throw invalid('account_number', 'is an account that the bank does not know', 'value_error')
  return name
}

/**
 * Adds the name of the account's holder to a routing. The bank is asked only if `given` is null. If no bank can be
 * asked either, the name is that of the merchant's account, as payouts go to its own destinations.
 */
export async function resolveHolder(call: Asker & { em: EntityManager }, routing: Routing, given: string | null) {
  if (routing.type !== 'bank_account') return routing
  if (given !== null) return { ...routing, account_name: given }
  if (routing.currency === resolvable) return { ...routing, account_name: await askBankForName(call, routing) }
  const account = await readRow(call.em, Account, { id: call.caller.accountId })
  return { ...routing, account_name: account?.name ?? null }
}

const ResolveAccount = Type.Object(
  {
    currency: sentCurrency({ maxLength: 10, examples: [resolvable] }),
    bank_code: Type.String({ maxLength: 20 }),
    account_number: Type.String({ maxLength: 50 }),
  },
  { $id: 'ResolveAccount' },
)

/** The errors in an account that can be found without its bank. The schema check reports values that are not text. */
function validateAccount(
  { currency, ...account }: Record<string, unknown>,
  { caller }: ValidationContext,
): FieldError[] {
  if (currency !== resolvable) return []
  const stated: StatedRouting = { type: 'bank_account', currency }
  for (const field of ['bank_code', 'account_number'] as const) {
    const value = account[field]
    if (typeof value === 'string') stated[field] = value
  }
  return readRouting(stated, null, caller.environment).errors
}

const ResolvedAccount = Type.Object(
  {
    currency: Type.String(),
    bank_code: Type.String(),
    bank_name: Type.Union([Type.String(), Type.Null()]),
    account_number: Type.String(),
    account_name: Type.String(),
  },
  { $id: 'ResolvedAccount' },
)

export const resolveAccount = operation({
  method: 'post',
  path: '/v1/payouts/destinations/resolve',
  summary: 'Ask a bank who holds an account',
  tag: 'Payout destinations',
  auth: ['apiKey'],
  scope: 'payouts:write',
  mode: 'read',
  body: ResolveAccount,
  validate: validateAccount,
  returns: [200, ResolvedAccount],
  refuses: ['CURRENCY_NOT_SUPPORTED', 'ACCOUNT_NOT_ACTIVATED'],

  async handle(call) {
    const { body, caller } = call
    const { currency, bank_code, account_number } = body
    if (currency !== resolvable) throw unsupportedCurrency('currency', `banks tell holders in ${resolvable} only`)
    const stated: StatedRouting = { type: 'bank_account', currency, bank_code, account_number }
    const { routing } = readRouting(stated, null, caller.environment)
    const account_name = await askBankForName(call, routing)
    return { currency, bank_code, bank_name: routing.bank_name, account_number, account_name }
  },
})

const Banks = Type.Object(
  { banks: Type.Array(Type.Object({ code: Type.String(), name: Type.String() })) },
  { $id: 'Banks' },
)

export const listBanks = operation({
  method: 'get',
  path: '/v1/reference/banks',
  summary: 'List the banks of a currency with their codes; empty if we keep no list for it',
  tag: 'Reference',
  auth: ['apiKey'],
  scope: null,
  query: Type.Object({ currency: sentCurrency({ maxLength: 10, examples: ['NGN'] }) }),
  returns: [200, Banks],
  refuses: ['CURRENCY_NOT_SUPPORTED'],

  async handle({ query }) {
    if (!isPayoutCurrency(query.currency)) throw unsupported()
    return { banks: banksOf(query.currency) }
  },
})
