import type { PayoutTarget } from '../payout-rail.ts'
import { RailRefusal } from '../rail-refusal.ts'
import { paystackCodeOf } from './bank-code.ts'

/** Paystack's names for accounts at banks, by currency. */
const bankTypes: Record<string, string> = { NGN: 'nuban', GHS: 'ghipss', KES: 'kepss' }

/** Paystack's codes of the operators whose wallets it sends to, with the calling code of their numbers. */
const operators: Record<string, { callingCode: string; codes: Record<string, string> }> = {
  GHS: { callingCode: '+233', codes: { mtn: 'MTN', vodafone: 'VOD', airteltigo: 'ATL' } },
  KES: { callingCode: '+254', codes: { mpesa: 'MPESA' } },
}

const own = <T>(table: Record<string, T>, key: string | null): T | undefined =>
  key !== null && Object.hasOwn(table, key) ? table[key] : undefined

const nameless = 'Account holder'

/**
 * The body that makes a payout's destination known to Paystack. Throws a `RailRefusal` for a destination that Paystack
 * does not send to, before anything was sent.
 */
export function recipientOf(target: PayoutTarget, currency: string): Record<string, string> {
  const { type, accountNumber, bankCode } = target
  const name = target.accountName ?? nameless
  if (type === 'mobile_money') return { type, name, currency, ...walletOf(target, currency) }
  const bankType = type === 'bank_account' ? own(bankTypes, currency) : undefined
  if (!bankType || accountNumber === null || bankCode === null)
    throw new RailRefusal('Paystack sends no payouts to destinations of this type in this currency')
  return {
    type: bankType,
    name,
    currency,
    account_number: accountNumber,
    bank_code: paystackCodeOf(currency, bankCode),
  }
}

function walletOf({ phoneNumber, mobileProvider }: PayoutTarget, currency: string) {
  const known = own(operators, currency)
  const code = known && own(known.codes, mobileProvider)
  if (!known || !code || !phoneNumber?.startsWith(known.callingCode))
    throw new RailRefusal('Paystack sends no payouts to wallets of this provider and country')
  return { account_number: `0${phoneNumber.slice(known.callingCode.length)}`, bank_code: code }
}
