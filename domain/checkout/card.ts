/** Whether digits may be the number of a card: their count, and the check digit of ISO/IEC 7812-1, annex B. */
export const isCardNumber = (digits: string): boolean => /^\d{12,19}$/.test(digits) && passesLuhn(digits)

/** Whether a card's last month, 1 to 12, is over; `now` in ms since the epoch. */
export const hasExpired = (year: number, month: number, now: number): boolean => Date.UTC(year, month, 1) <= now

function passesLuhn(digits: string): boolean {
  const sum = [...digits].toReversed().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}

/** The brand of a card by its first digits; `unknown` where they belong to none of these. */
export function brandOf(number: string): string {
  if (number.startsWith('4')) return 'visa'
  if (/^(5[1-5]|2[2-7])/.test(number)) return 'mastercard'
  return /^3[47]/.test(number) ? 'amex' : 'unknown'
}
