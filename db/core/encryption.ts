import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** Encrypts what must be read again (webhook secrets, stored answers) and derives keys for other uses. */
export type Encrypter = {
  /** The ids of the keys. The first one encrypts. */
  keyIds: readonly [string, ...string[]]
  encrypt(text: string): string
  decrypt(encrypted: string): string
  deriveKey(purpose: string): Buffer
}

/**
 * AES-256-GCM with a fresh nonce each time. `keys` is `id:base64,id:base64`: the first key encrypts and all keys
 * decrypt, so a key is rotated by putting a new one first. The result has the form `id.nonce.tag.ciphertext`.
 */
export function createEncrypter(keys: string): Encrypter {
  const wrong = wrongKeys(keys)
  if (wrong !== null) throw new Error(`the encryption keys are wrong: ${wrong}`)
  const ring = new Map(keys.split(',').map((entry) => readKey(entry.trim())))
  const [newest] = ring
  if (!newest) throw new Error('no encryption key')
  const [newestId, newestKey] = newest
  return {
    keyIds: [newestId, ...[...ring.keys()].slice(1)],
    encrypt(text) {
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', newestKey, nonce)
      const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return [newestId, ...[nonce, cipher.getAuthTag(), encrypted].map((part) => part.toString('base64url'))].join('.')
    },
    decrypt(encrypted) {
      const [id = '', nonce = '', tag = '', text = ''] = encrypted.split('.')
      const key = ring.get(id)
      if (!key) throw new Error(`encrypted with an unknown key ${id}`)
      const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(nonce, 'base64url'))
      decipher.setAuthTag(Buffer.from(tag, 'base64url'))
      return Buffer.concat([decipher.update(Buffer.from(text, 'base64url')), decipher.final()]).toString('utf8')
    },
    deriveKey: (purpose) => Buffer.from(hkdfSync('sha256', newestKey, '', purpose, 32)),
  }
}

/** What is wrong with the keys as a whole; null if nothing is. Of two keys with one id, one would be lost. */
export function wrongKeys(keys: string): string | null {
  const entries = keys.split(',').map((entry) => entry.trim().split(':'))
  const ids = entries.map(([id = '']) => id)
  const twice = ids.find((id, n) => ids.indexOf(id) < n)
  if (twice === undefined) return null
  // What stands there without an id is the key itself, which no message may repeat.
  const areIds = keyId.test(twice) && entries.every(([id, ...key]) => id !== twice || key.length > 0)
  const named = areIds ? `the id ${twice}` : 'the same id, or none'
  return `two of them have ${named}, and each needs an id of its own`
}

const keyId = /^[\w-]{1,20}$/

/** In SQL, the id of the key under which a text of this form was encrypted; null for a text of another form. */
export const keyIdOf = (column: string): string =>
  `substring(${column} from '^([A-Za-z0-9_-]{1,20})[.][A-Za-z0-9_-]{16}[.][A-Za-z0-9_-]{22}[.]')`

function readKey(entry: string): [string, Buffer] {
  const [id = '', encoded = ''] = entry.split(':')
  const key = Buffer.from(encoded, 'base64')
  if (!keyId.test(id) || key.length !== 32) throw new Error('an encryption key must be id:base64 of 32 bytes')
  return [id, key]
}
