/** The resource prefixes of the interface and of decisions.md, section 1. */
export type IdPrefix =
  | 'acct'
  | 'chal'
  | 'chk'
  | 'cnv'
  | 'cust'
  | 'dlv'
  | 'doc'
  | 'dsp'
  | 'evt'
  | 'inv'
  | 'key'
  | 'mail'
  | 'pay'
  | 'pg'
  | 'pm'
  | 'prod'
  | 'psn'
  | 'rcv'
  | 'ref'
  | 'ses'
  | 'sub'
  | 'txn'
  | 'upl'
  | 'usr'
  | 'va'
  | 'we'

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz' // Crockford base 32: no i, l, o, u
const timeDigits = 10 // 50 bits of milliseconds
const randomDigits = 24 // 120 random bits

/**
 * A new id: prefix, milliseconds and 120 random bits, so that ids sort by time and never collide, payments and
 * payouts included, which share one prefix. `at` is in milliseconds since the epoch.
 */
export function newId(prefix: IdPrefix, at: number): string {
  let time = ''
  for (let rest = Math.floor(at), digit = 0; digit < timeDigits; digit++, rest = Math.floor(rest / 32)) {
    time = alphabet[rest % 32] + time
  }
  let random = ''
  for (const byte of crypto.getRandomValues(new Uint8Array(randomDigits))) random += alphabet[byte % 32]
  return `${prefix}_${time}${random}`
}

/** The pattern that ids of a prefix match; any longer or shorter text is no id. */
export const idPattern = (prefix: IdPrefix): string => `^${prefix}_[0-9a-hjkmnp-tv-z]{34}$`
