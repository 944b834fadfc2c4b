import { isNuban } from '../nuban.ts'

/** Banks that are paid out to by a code from this list; other currencies' banks name themselves in their own codes. */
const banks = {
  // Three digits: codes of the Central Bank of Nigeria. Six: codes of NIBSS, for institutions that are no such banks.
  NGN: {
    '044': 'Access Bank',
    '023': 'Citibank Nigeria',
    '050': 'Ecobank Nigeria',
    '070': 'Fidelity Bank',
    '011': 'First Bank of Nigeria',
    '214': 'First City Monument Bank',
    '058': 'Guaranty Trust Bank',
    '030': 'Heritage Bank',
    '301': 'Jaiz Bank',
    '082': 'Keystone Bank',
    '076': 'Polaris Bank',
    '101': 'Providus Bank',
    '221': 'Stanbic IBTC Bank',
    '068': 'Standard Chartered Bank Nigeria',
    '232': 'Sterling Bank',
    '032': 'Union Bank of Nigeria',
    '033': 'United Bank for Africa',
    '215': 'Unity Bank',
    '035': 'Wema Bank',
    '057': 'Zenith Bank',
    '090267': 'Kuda Microfinance Bank',
    '090405': 'Moniepoint Microfinance Bank',
    '100004': 'OPay',
    '100033': 'PalmPay',
  },
  // Sort codes of head offices (Ghana Interbank Payment and Settlement Systems).
  GHS: {
    '030100': 'Absa Bank Ghana',
    '280100': 'Access Bank Ghana',
    '140100': 'CalBank',
    '130100': 'Ecobank Ghana',
    '240100': 'Fidelity Bank Ghana',
    '040100': 'GCB Bank',
    '230100': 'Guaranty Trust Bank Ghana',
    '190100': 'Stanbic Bank Ghana',
    '020100': 'Standard Chartered Bank Ghana',
    '060100': 'United Bank for Africa Ghana',
    '120100': 'Zenith Bank Ghana',
  },
  // Codes of the Kenyan clearing house.
  KES: {
    '01': 'KCB Bank Kenya',
    '02': 'Standard Chartered Bank Kenya',
    '03': 'Absa Bank Kenya',
    '07': 'NCBA Bank Kenya',
    '10': 'Prime Bank',
    '11': 'Co-operative Bank of Kenya',
    '12': 'National Bank of Kenya',
    '31': 'Stanbic Bank Kenya',
    '57': 'I&M Bank',
    '63': 'Diamond Trust Bank Kenya',
    '68': 'Equity Bank Kenya',
    '70': 'Family Bank',
  },
  // Tanzanian and Ugandan banks are named by their BIC.
  TZS: {
    CORUTZTZ: 'CRDB Bank',
    DTKETZTZ: 'Diamond Trust Bank Tanzania',
    EQBLTZTZ: 'Equity Bank Tanzania',
    EXTNTZTZ: 'Exim Bank Tanzania',
    KCBLTZTZ: 'KCB Bank Tanzania',
    NLCBTZTX: 'National Bank of Commerce',
    NMIBTZTZ: 'NMB Bank',
    SBICTZTX: 'Stanbic Bank Tanzania',
  },
  UGX: {
    BARCUGKX: 'Absa Bank Uganda',
    CERBUGKA: 'Centenary Bank',
    DFCUUGKA: 'dfcu Bank',
    DTKEUGKA: 'Diamond Trust Bank Uganda',
    EQBLUGKA: 'Equity Bank Uganda',
    HFINUGKA: 'Housing Finance Bank',
    KCBLUGKA: 'KCB Bank Uganda',
    SBICUGKX: 'Stanbic Bank Uganda',
    SCBLUGKA: 'Standard Chartered Bank Uganda',
  },
} as const

/**
 * The institutions of the list that are no deposit money banks, with the code over which the check digits of their
 * account numbers are computed. Null: they give out phone numbers as account numbers, which have no check digit
 * (decision 0114).
 */
const otherInstitutions: Record<string, string | null> = {
  '090267': '950211',
  '090405': null,
  '100004': null,
  '100033': null,
}

/** Whether the text can be the number of an account at this Nigerian bank. */
export function isNigerianAccount(bankCode: string, accountNumber: string): boolean {
  const code = Object.hasOwn(otherInstitutions, bankCode) ? otherInstitutions[bankCode] : bankCode
  return code == null ? isTenDigits(accountNumber) : isNuban(code, accountNumber)
}

export const isTenDigits = (text: string): boolean => /^\d{10}$/.test(text)

export type Bank = { code: string; name: string }

const isListed = (currency: string): currency is keyof typeof banks => Object.hasOwn(banks, currency)

/** The banks of a currency, by name; none where no list is kept. */
export const banksOf = (currency: string): Bank[] =>
  isListed(currency)
    ? Object.entries(banks[currency])
        .map(([code, name]) => ({ code, name: String(name) }))
        .toSorted((one, other) => (one.name.toLowerCase() < other.name.toLowerCase() ? -1 : 1))
    : []

/** The name of the currency's bank with this code; null where the list has none. */
export const bankNamed = (currency: string, code: string): string | null =>
  banksOf(currency).find((bank) => bank.code === code)?.name ?? null
