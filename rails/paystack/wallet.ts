import type { Wallets } from '../../domain/checkout/mobile-money.ts'
import { type Corridor, corridorOf } from '../../domain/corridor.ts'
import type { ChargeOrder } from '../rail.ts'
import { RailRefusal } from '../rail-refusal.ts'

type Country = { callingCode: string; isLocal: boolean; providers: Record<string, string> }

/** The wallets that Paystack charges, by currency: the country's calling code, and its names of the providers. */
const wallets: Record<string, Country> = {
  // Paystack's examples for Ghana and Côte d'Ivoire are local numbers, those for Kenya have the country's code.
  GHS: { callingCode: '+233', isLocal: true, providers: { mtn: 'mtn', vodafone: 'vod', airteltigo: 'atl' } },
  KES: { callingCode: '+254', isLocal: false, providers: { mpesa: 'mpesa', airtel: 'atl' } },
  XOF: { callingCode: '+225', isLocal: true, providers: { mtn: 'mtn', orange: 'orange', wave: 'wave' } },
}

/** The wallets that Paystack charges in a corridor of mobile money, by our names. */
export function walletsOf(corridor: Corridor): Wallets {
  const known = wallets[corridorOf(corridor).currency]
  if (!known) return { callingCodes: [], providers: [] }
  return { callingCodes: [known.callingCode.slice(1)], providers: Object.keys(known.providers) }
}

/**
 * The wallet as Paystack names it; `number` in the form of E.164. Throws a `RailRefusal` for one that Paystack does not
 * charge, before anything was sent: of XOF it serves Côte d'Ivoire only. A sale offers no such wallet.
 */
export function walletOf({ currency, provider }: Pick<ChargeOrder, 'currency' | 'provider'>, number: string) {
  const known = wallets[currency]
  const name = known && Object.hasOwn(known.providers, provider ?? '') ? known.providers[provider ?? ''] : undefined
  if (!known || !name) throw new RailRefusal('Paystack does not charge wallets of this provider')
  if (!number.startsWith(known.callingCode)) throw new RailRefusal('Paystack does not charge wallets of this country')
  return { phone: known.isLocal ? localNumber(number, known.callingCode) : number, provider: name }
}

/** Local numbers of Ghana begin with a zero; those of Côte d'Ivoire have it in their ten digits already. */
function localNumber(number: string, callingCode: string): string {
  const rest = number.slice(callingCode.length)
  return rest.startsWith('0') ? rest : `0${rest}`
}
