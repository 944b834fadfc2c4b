/** What each id prefix belongs to. Payments and payouts share one. */
export const idPrefixes = {
  acct: 'account',
  call: 'call that waits for a process and creates nothing that has an id',
  chal: 'challenge of a login',
  chk: 'checkout session',
  clk: 'test clock',
  cnv: 'conversion',
  cs: 'customer session',
  cust: 'customer',
  dlv: 'webhook delivery',
  doc: 'company document',
  dsp: 'dispute',
  evt: 'event',
  inv: 'invoice',
  key: 'API key',
  mail: 'mail',
  opa: 'operator action',
  os: 'onboarding session',
  pay: 'payment or payout',
  pd: 'payout destination',
  pf: 'platform fee',
  pfr: 'refund of a platform fee',
  pg: 'product group',
  pl: 'payment link',
  pm: 'saved payment method',
  prod: 'product',
  psn: 'person of a company',
  quo: 'conversion quote',
  rcv: 'webhook recovery',
  ref: 'refund',
  req: 'logged call',
  rvd: 'decision of a review',
  rvw: 'review',
  ses: 'login session',
  sub: 'subscription',
  ti: 'invitation into a team',
  tr: 'transfer',
  trr: 'transfer reversal',
  txn: 'balance transaction',
  upl: 'upload',
  usr: 'user',
  va: 'virtual account',
  we: 'webhook endpoint',
} as const
export type IdPrefix = keyof typeof idPrefixes

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz' // Crockford base 32: no i, l, o, u
const timeDigits = 10 // 50 bits of milliseconds
const randomDigits = 24 // 120 random bits

/**
 * A new id: prefix, milliseconds and 120 random bits, so that ids sort by time and never collide, payments and
 * payouts included, which share one prefix. `at` is in milliseconds since the epoch.
 */
export const newId = (prefix: IdPrefix, at: number): string => firstIdAt(prefix, at) + randomText(randomDigits)

/**
 * The id of what a process makes by itself, at a moment that its row names: the same purpose and moment always give the
 * same id, in the form of `newId`. A database that was put back to before that moment has the order made again, and the
 * rail knows it by its id. `purpose` says what it is for, and is of one thing alone; `dueAt` is in milliseconds since
 * the epoch.
 */
export async function derivedId(prefix: IdPrefix, dueAt: number, purpose: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(purpose))
  return firstIdAt(prefix, dueAt) + digitsOf(new Uint8Array(digest, 0, randomDigits))
}

/** What all ids of this millisecond begin with; it sorts before all of them, and after those of earlier ones. */
export function firstIdAt(prefix: IdPrefix, at: number): string {
  let time = ''
  for (let rest = Math.floor(at), digit = 0; digit < timeDigits; digit++, rest = Math.floor(rest / 32)) {
    time = alphabet[rest % 32] + time
  }
  return `${prefix}_${time}`
}

/** The id that sorts right after this one, for resources of one commit whose order must be visible. */
export function idAfter(id: string): string {
  const digits = [...id]
  for (let index = digits.length - 1; index >= 0; index--) {
    const next = alphabet[alphabet.indexOf(digits[index] ?? '') + 1]
    digits[index] = next ?? '0'
    if (next !== undefined) break
  }
  return digits.join('')
}

// Random bytes are drawn in advance, as drawing them for each id takes four times as long as the rest of it. None is
// used twice.
const randomBytes = new Uint8Array(4_096)
let bytesUsed = randomBytes.length

/** Random digits of the ids' alphabet, 5 bits each; at most 4,096. */
export function randomText(length: number): string {
  if (bytesUsed + length > randomBytes.length) {
    crypto.getRandomValues(randomBytes)
    bytesUsed = 0
  }
  return digitsOf(randomBytes.subarray(bytesUsed, (bytesUsed += length)))
}

/** One digit of the ids' alphabet for each byte. */
function digitsOf(bytes: Uint8Array): string {
  let digits = ''
  for (const byte of bytes) digits += alphabet[byte % 32]
  return digits
}

/** The pattern that ids of a prefix match, with their exact length. */
export const idPattern = (prefix: IdPrefix): string => `^${prefix}_[0-9a-hjkmnp-tv-z]{34}$`

/** Matches every id of ours, and captures its prefix. */
export const anyIdPattern = new RegExp(`^(${Object.keys(idPrefixes).join('|')})_[0-9a-hjkmnp-tv-z]{34}$`)
