/** Paystack's codes of banks that it does not name by the code of our list (`domain/payout/bank.ts`), by currency. */
const paystackCodes: Record<string, Record<string, string>> = {
  NGN: { '090267': '50211', '090405': '50515', '100004': '999992', '100033': '999991' },
}

/** The code by which Paystack knows a bank, from the code by which our list does. */
export function paystackCodeOf(currency: string, bankCode: string): string {
  const codes = Object.hasOwn(paystackCodes, currency) ? paystackCodes[currency] : undefined
  return codes && Object.hasOwn(codes, bankCode) ? (codes[bankCode] ?? bankCode) : bankCode
}
