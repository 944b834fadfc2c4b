import Type from 'typebox'
import { readRow } from '../../db/core/prepared-statement.ts'
import { Account } from '../../db/core/account.ts'
import type { EntityManager } from '../../db/core/database.ts'
import type { Statement } from '../../commands/payout/state-destination.ts'
import { banksOf } from '../../domain/payout/bank.ts'
import {
  isPayoutCurrency,
  isRerouted,
  readRouting,
  type Routing,
  type StatedRouting,
} from '../../domain/payout/routing.ts'
import { type FieldError, invalid, Refusal, unsupportedCurrency } from '../../domain/refusal.ts'
import { askBank } from '../ask-bank.ts'
import { type Call, type ValidationContext, operation } from '../http/operation.ts'
import { sentCurrency } from '../../schemas/common.ts'
import { unsupported } from './routing.ts'

/** The only currency whose banks tell who holds an account. */
const resolvable = 'NGN'

type Asker = Pick<Call<undefined, undefined, undefined>, 'caller' | 'services' | 'askOutside'>

/** The question to a bank who holds a Nigerian account. The answer is null where the bank does not know the account. */
function questionOf({ caller: { environment }, services }: Asker, routing: Routing) {
  const { currency, bank_code: bankCode, account_number: accountNumber } = routing
  if (!bankCode || !accountNumber) throw new Error('a checked routing names a bank and an account')
  const account = { currency, bankCode, accountNumber }
  const { holders } = services.rails.in(environment)
  return { words: JSON.stringify(account), ask: () => askBank(services, () => holders.resolveAccount(account)) }
}

const namesHolders = ({ caller: { environment }, services }: Asker): boolean =>
  services.rails.in(environment).namesHolders

/** Asks the bank who holds a Nigerian account. Refuses an account that the bank does not know. */
async function askBankForName(call: Asker, routing: Routing): Promise<string> {
  if (!namesHolders(call)) throw new Refusal('ACCOUNT_NOT_ACTIVATED', 'no live bank serves this account yet')
  const { words, ask } = questionOf(call, routing)
  const name = await call.askOutside(words, ask)
  if (name === null) throw invalid('account_number', 'is an account that the bank does not know', 'value_error')
  return name
}

/** The same for reviewers alone: nothing is refused. Null where no bank can be asked, or none has named anybody. */
async function askBankForReview(call: Asker, routing: Routing): Promise<string | null> {
  if (routing.currency !== resolvable || !namesHolders(call)) return null
  const { words, ask } = questionOf(call, routing)
  return call.askOutside(`${words} for its review`, () => ask().catch(() => null))
}

/**
 * Adds the name of the account's holder to a routing: the `given` one, or else the bank's. If no bank can be asked
 * either, it is that of the merchant's account, as payouts go to its own destinations. Where a name is given, the bank
 * is asked too, as a reviewer has to know whose word the name is; `before` is what it has said of the earlier routing.
 */
export async function resolveHolder(
  call: Asker & { em: EntityManager },
  routing: Routing,
  given: string | null,
  before: Statement | null = null,
): Promise<Statement> {
  if (routing.type !== 'bank_account') return { routing, holderAtBank: null }
  if (given !== null) {
    const known = before && !isRerouted(before.routing, routing) ? before.holderAtBank : null
    const holderAtBank = known ?? (await askBankForReview(call, routing))
    return { routing: { ...routing, account_name: given }, holderAtBank }
  }
  if (routing.currency === resolvable) {
    const holderAtBank = await askBankForName(call, routing)
    return { routing: { ...routing, account_name: holderAtBank }, holderAtBank }
  }
  const account = await readRow(call.em, Account, { id: call.caller.accountId })
  return { routing: { ...routing, account_name: account?.name ?? null }, holderAtBank: null }
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
    if (currency !== resolvable) throw unsupportedCurrency('currency', [resolvable])
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
