import { randomBytes } from 'node:crypto'
import type { Database } from '../../db/core/database.ts'
import type { Encrypter } from '../../db/core/encryption.ts'
import { invalid } from '../../domain/refusal.ts'
import type { RailVault } from '../rail.ts'
import { PaystackSecret } from './book.ts'

/** What the rest of the rail does with what the vault keeps. */
export type Secrets = {
  /** What the token stands for; null where it was forgotten, or never kept. */
  read(token: string): Promise<string | null>
  forget(token: string): Promise<void>
}

/**
 * The vault: phone numbers and one-time codes, encrypted until Paystack has taken them, since Paystack wants them as
 * they are. A card is entered on Paystack's page: what is sent of one is refused, and neither stored nor passed on.
 */
export function createPaystackVault({ orm }: Database, encrypter: Encrypter): { vault: RailVault; secrets: Secrets } {
  async function keep(prefix: string, secret: string): Promise<string> {
    const token = `${prefix}_${randomBytes(18).toString('base64url')}`
    await orm.em
      .fork()
      .execute('insert into paystack_secrets (token, encrypted) values (?, ?)', [token, encrypter.encrypt(secret)])
    return token
  }

  return {
    vault: {
      async keepCard() {
        throw invalid('card', 'is not accepted: the buyer enters the card on the page of its network', 'value_error')
      },
      async keepSecurityCode() {
        throw invalid('card', 'is not accepted: no saved card is paid with by its security code here', 'value_error')
      },
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
