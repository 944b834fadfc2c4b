import type { Database } from '../../db/core/database.ts'
import type { Passwords } from '../../db/access/password.ts'
import type { Encrypter } from '../../db/core/encryption.ts'
import type { Clock } from '../../engine/clock.ts'
import type { Config } from '../../engine/config.ts'
import type { Engine } from '../../engine/engine.ts'
import type { Logger } from '../../engine/logger.ts'
import type { Mailer } from '../../domain/mail.ts'
import type { ExchangeRates } from '../../rails/exchange-rates.ts'
import type { Rails } from '../../rails/index.ts'
import type { AccessTokens } from '../access/access-token.ts'
import type { Versions } from './versions.ts'

type Configured =
  | ('publicUrl' | 'keyPepper' | 'trustedProxyHops' | 'allowLoopbackWebhooks' | 'deployment')
  | ('temporalNamespace' | 'temporalUiUrl' | 'secondApprovalAboveUsd')

/** What the handlers of a process work with. */
export type Services = {
  config: Pick<Config, Configured>
  /** The versions of the interface that are served. */
  versions: Versions
  database: Database
  engine: Engine
  /** Their vault takes card numbers and one-time codes off our hands; they say who holds an account at a bank. */
  rails: Rails
  /** What one currency is worth in another. */
  rates: ExchangeRates
  encrypter: Encrypter
  passwords: Passwords
  accessTokens: AccessTokens
  mailer: Mailer
  clock: Clock
  logger: Logger
}
