import { randomBytes } from 'node:crypto'
import type { Database } from '../../db/core/database.ts'
import type { Encrypter } from '../../db/core/encryption.ts'
import type { RailVault } from '../rail.ts'
import { PaystackSecret } from './book.ts'

/** No card number, and no security code, may be given to a live rail: the buyer enters them at Paystack. */
export class NoCardNumbers extends Error {
  override readonly name = 'NoCardNumbers'
}

/** What the rest of the rail does with what the vault keeps. */
export type Secrets = {
  /** What the token stands for; null where it was forgotten, or never kept. */
  read(token: string): Promise<string | null>
  forget(token: string): Promise<void>
}

/**
 * The vault: phone numbers and one-time codes, encrypted until Paystack has taken them, since Paystack wants them as
 * they are. Card numbers never reach it.
 */
export function createPaystackVault({ orm }: Database, encrypter: Encrypter): { vault: RailVault; secrets: Secrets } {
  async function keep(prefix: string, secret: string): Promise<string> {
    const token = `${prefix}_${randomBytes(18).toString('base64url')}`
    await orm.em
      .fork()
      .execute('insert into paystack_secrets (token, encrypted) values (?, ?)', [token, encrypter.encrypt(secret)])
    return token
  }
  const refuse = (): Promise<never> =>
    Promise.reject(new NoCardNumbers('a live card is entered on the page of Paystack, and never sent to this service'))

  return {
    vault: {
      keepCard: refuse,
      keepSecurityCode: refuse,
      // Paystack gives browsers no token. That of a saved card is known to this service only, so nobody may bring it.
      keepToken: async () => null,
      keepPhone: (number) => keep('mob', number),
      keepCode: (code) => keep('otc', code),
    },
    secrets: {
      async read(token) {
        const found = await orm.em.fork().findOne(PaystackSecret, { token })
        return found && encrypter.decrypt(found.encrypted)
      },
      forget: async (token) => void (await orm.em.fork().nativeDelete(PaystackSecret, { token })),
    },
  }
}
