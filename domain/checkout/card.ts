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

/**
 * The brands that are told by the first digits of a card, in the order in which pages list them. Each is a regular
 * expression, which a page's script uses too. Those of Verve are 506099 to 506198, 507865 to 507964, 650002 to 650027.
 */
export const brandPatterns = {
  visa: '^4',
  mastercard: '^(5[1-5]|2[2-7])',
  amex: '^3[47]',
  verve:
    '^(506099|5061[0-8]\\d|50619[0-8]|50786[5-9]|5078[7-9]\\d|5079[0-5]\\d|50796[0-4]' +
    '|65000[2-9]|65001\\d|65002[0-7])',
} as const

/** The brand of a card by its first digits; `unknown` where they belong to none of these. */
export const brandOf = (number: string): string =>
  Object.entries(brandPatterns).find(([, pattern]) => new RegExp(pattern).test(number))?.[0] ?? 'unknown'
