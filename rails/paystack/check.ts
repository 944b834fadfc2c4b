import Type from 'typebox'
import Big from 'big.js'
import { type Corridor, corridorOf } from '../../domain/corridor.ts'
import {
  addressFinding,
  type Asked,
  asked,
  checkTimeoutMs,
  failed,
  type Finding,
  keyFinding,
  listFindings,
  ok,
  warning,
  why,
} from '../provider-check.ts'
import { fromMinor } from './amount.ts'
import { type PaystackApi, unclear } from './api.ts'
import { reader } from './shapes.ts'

const name = 'Paystack'
const listNames = ['transactions', 'refunds', 'disputes']

const readBalances = reader(
  'the balances',
  Type.Array(
    Type.Object({ currency: Type.String({ maxLength: 10 }), balance: Type.String({ pattern: '^-?\\d{1,20}$' }) }),
  ),
)
const readProviders = reader('the banks', Type.Array(Type.Object({ bank_name: Type.String({ maxLength: 100 }) })))
const readTransfers = reader('the transfers', Type.Array(Type.Object({ status: Type.String({ maxLength: 64 }) })))
const readList = reader('a list', Type.Array(Type.Unknown()))

type Parts = { api: PaystackApi; publicUrl: string; serves: readonly Corridor[] }

/** What Paystack answers about our key and our account. Only reads; nothing is made and no money moves. */
export async function checkPaystack({ api, publicUrl, serves }: Parts): Promise<Finding[]> {
  const question = <T>(path: string, read: (value: unknown) => T): Promise<Asked<T>> =>
    asked(async () => {
      const reply = await api.get(path, checkTimeoutMs)
      if (!reply.isDone) throw unclear('a question of the check', reply)
      return read(reply.data)
    })
  const page = 'perPage=1&page=1'
  const [balances, transfers, banks, ...lists] = await Promise.all([
    question('/balance', readBalances),
    question('/transfer?perPage=50&page=1', readTransfers),
    question('/dedicated_account/available_providers', readProviders),
    question(`/transaction?${page}`, readList),
    question(`/refund?${page}`, readList),
    question(`/dispute?${page}`, readList),
  ])
  const key = keyFinding(name, balances)
  if (key.level === 'failed') return [key]
  return [
    key,
    ...('answer' in balances ? balanceFindings(balances.answer, serves) : []),
    transferFinding(transfers),
    bankFinding(banks),
    ...listFindings(name, listNames, lists),
    warning(
      'callbacks',
      `cannot see which address Paystack calls: its dashboard has to name ${publicUrl}/rails/paystack/callbacks`,
    ),
    ...addressFinding(publicUrl),
  ]
}

/** Paystack keeps a balance for each currency that the business may use. */
function balanceFindings(balances: { currency: string; balance: string }[], serves: readonly Corridor[]): Finding[] {
  const shown = balances.map(({ currency, balance }) => `${new Big(fromMinor(balance)).toFixed(2)} ${currency}`)
  const lacking = serves.filter((corridor) =>
    balances.every(({ currency }) => currency !== corridorOf(corridor).currency),
  )
  const findings = [ok('balance', shown.length > 0 ? shown.join('; ') : 'nothing yet')]
  if (lacking.length === 0) return findings
  const says = `Paystack keeps no balance for ${lacking.join(', ')}: their currencies are probably not switched on`
  return [...findings, warning('corridors', says)]
}

function transferFinding(transfers: Asked<{ status: string }[]>): Finding {
  if ('unanswered' in transfers)
    return failed('payouts', `transfers cannot be read: ${why(name, transfers.unanswered)}`)
  const waiting = transfers.answer.filter(({ status }) => status === 'otp').length
  if (waiting > 0)
    return failed(
      'payouts',
      `${waiting} transfers wait for a one-time code: switch the codes off in Paystack’s dashboard`,
    )
  const says = 'cannot see whether transfers need a one-time code: switch the codes off in Paystack’s dashboard'
  return warning('payouts', says)
}

function bankFinding(banks: Asked<{ bank_name: string }[]>): Finding {
  if ('unanswered' in banks) return warning('virtual accounts', `cannot be opened: ${why(name, banks.unanswered)}`)
  const names = banks.answer.map(({ bank_name: bank }) => bank.replaceAll(/\p{Cc}+/gu, ' '))
  if (names.length === 0) return warning('virtual accounts', 'cannot be opened: Paystack names no bank for them')
  return ok('virtual accounts', `can be opened at ${names.join(', ')}`)
}
