import { sha256 } from '@noble/hashes/sha2.js'
import { anyIdPattern } from '../id.ts'
import { isRecord } from '../narrow.ts'

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

/** Fields other than ids whose values are made at random, and the digits of these values. */
const randomFields = new Map([
  ['session_id', '0123456789'],
  ['account_number', '0123456789'],
  ['tx_hash', '0123456789abcdef'],
])

/** The number of an invoice, which counts the account's invoices, and the key in the address of its page. */
const invoiceForms = [
  { form: /^(INV-)(\d+)$/, digits: '0123456789' },
  { form: /^(https?:\/\/[^/]+\/invoice\/)([\w-]{32})/, digits: alphabet },
]

/**
 * A copy of a value in which everything that was made at random, or counts what is made, has a name made of the seed
 * and of the place of its first appearance. So the same story has the same names, whenever it happens.
 */
export function withStableNames<T>(value: T, seed: string): T {
  const names = new Map<string, string>()
  const nameOf = (text: string, prefix: string, digits: string) => {
    const known = names.get(text)
    if (known) return known
    const hash = sha256(new TextEncoder().encode(`${seed}\n${names.size}`))
    const random = Array.from({ length: text.length - prefix.length }, (_, index) => hash[index % hash.length] ?? 0)
    const name = prefix + random.map((byte, index) => digits[(byte + index) % digits.length]).join('')
    names.set(text, name)
    return name
  }
  const rename = (inner: unknown, field: string): unknown => {
    if (typeof inner === 'string') {
      const prefix = anyIdPattern.exec(inner)?.[1]
      if (prefix) return nameOf(inner, `${prefix}_`, alphabet)
      for (const { form, digits } of invoiceForms) {
        const [whole = '', before = '', key = ''] = form.exec(inner) ?? []
        if (key) return before + nameOf(key, '', digits) + inner.slice(whole.length)
      }
      const digits = randomFields.get(field)
      return digits ? nameOf(inner, '', digits) : inner
    }
    if (Array.isArray(inner)) return inner.map((item) => rename(item, field))
    if (!isRecord(inner)) return inner
    return Object.fromEntries(Object.entries(inner).map(([key, item]) => [key, rename(item, key)]))
  }
  return rename(value, '') as T
}
