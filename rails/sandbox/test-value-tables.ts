import {
  coinPrices,
  testAccounts,
  testCards,
  testDestinations,
  testEvidence,
  testHolders,
  testPayouts,
  testPhones,
  testReferences,
  usualPayout,
  wrongSecurityCode,
} from './test-values.ts'

type Table = { heads: string[]; rows: string[][] }

const code = (text: string): string => `\`${text}\``

/** The test values as people read them. The reference page and docs/ print the same tables. */
export const testValueTables = {
  'sandbox-cards': {
    heads: ['Card', 'The same as a `token`', 'Does'],
    rows: [
      ...testCards.map(({ number, token, means }) => [number, token ? code(token) : '', means]),
      ['any other', '', 'fails with `card_declined`'],
    ],
  },
  'sandbox-security-codes': {
    heads: ['Security code of a saved card', 'Does'],
    rows: [
      [wrongSecurityCode, 'fails with `card_declined`'],
      ['any other', 'is right'],
    ],
  },
  'sandbox-phones': {
    heads: ['Mobile number ends in', 'Does, one second after the prompt'],
    rows: [...testPhones.map(({ lastDigit, means }) => [lastDigit, means]), ['any other', 'pays']],
  },
  'sandbox-prices': {
    heads: ['Asset', 'US dollars'],
    rows: Object.entries(coinPrices).map(([asset, price]) => [code(asset), price]),
  },
  'sandbox-payouts': {
    heads: ['The number, phone or wallet ends in', 'Payout'],
    rows: [
      ...testPayouts.map(({ ending, means }) => [code(ending), means]),
      ['anything else', `completes within ${Math.ceil(usualPayout.afterMs / 1_000)} seconds`],
    ],
  },
  'sandbox-destinations': {
    heads: ['The number, phone or wallet ends in', 'Review'],
    rows: [...testDestinations.map(({ ending, means }) => [code(ending), means]), ['anything else', 'approved']],
  },
  'sandbox-accounts': {
    heads: ['The registration number or the ID number ends in', 'Account'],
    rows: [...testAccounts.map(({ ending, means }) => [code(ending), means]), ['anything else', 'approved']],
  },
  'sandbox-references': {
    heads: ['`reference`', 'Of', 'Does'],
    rows: testReferences.map(({ reference, of, means }) => [code(reference), of, means]),
  },
  'sandbox-evidence': {
    heads: ['Text in any field of the evidence', 'When it is submitted'],
    rows: testEvidence.map(({ text, means }) => [code(text), means]),
  },
  'sandbox-holders': {
    heads: ['Digit', 'Sixth from the end: first name', 'Fifth from the end: last name'],
    rows: testHolders.firstNames.map((first, digit) => [String(digit), first, testHolders.lastNames[digit] ?? '']),
  },
} satisfies Record<string, Table>
