/**
 * Nigerian account numbers (NUBAN, Central Bank of Nigeria, revised in 2020): nine digits that the bank gives, and a
 * check digit over them and the bank's code. Codes have three digits. Those of other institutions, such as microfinance
 * banks, have five, and a 9 is put in front of them.
 */
const weights = [3, 7, 3]
const serialDigits = 9

/** The ten digits of an account: the bank's code, and its serial number for the account (below a thousand million). */
export function nubanOf(bankCode: string, serial: number): string {
  const digits = String(serial).padStart(serialDigits, '0')
  return digits + checkDigit(bankCode + digits)
}

/** Whether the ten digits can be an account of this bank. */
export const isNuban = (bankCode: string, accountNumber: string): boolean =>
  /^\d{10}$/.test(accountNumber) && nubanOf(bankCode, Number(accountNumber.slice(0, serialDigits))) === accountNumber

function checkDigit(digits: string): number {
  const sum = [...digits].reduce((total, digit, index) => total + Number(digit) * (weights[index % 3] ?? 0), 0)
  return (10 - (sum % 10)) % 10
}
