import type { Database } from '../../db/core/database.ts'
import type { Passwords } from '../../db/access/password.ts'
import type { Encrypter } from '../../db/core/encryption.ts'
import type { Clock } from '../../engine/clock.ts'
import type { Config } from '../../engine/config.ts'
import type { Engine } from '../../engine/engine.ts'
import type { AnsweredCall } from '../../engine/telemetry/counters.ts'
import type { TraceCall } from '../../engine/telemetry/traced.ts'
import type { Logger } from '../../engine/logger.ts'
import type { Mailer } from '../../domain/mail.ts'
import type { ExchangeRates } from '../../rails/exchange-rates.ts'
import type { Rails } from '../../rails/index.ts'
import type { Providers } from '../../rails/providers.ts'
import type { AccessTokens } from '../access/access-token.ts'
import type { RequestLog } from './request-log.ts'
import type { EventFeed } from '../webhook/event-feed.ts'
import type { Versions } from './versions.ts'

type Configured =
  | 'publicUrl'
  | 'keyPepper'
  | 'trustedProxyHops'
  | 'allowLoopbackWebhooks'
  | 'deployment'
  | 'temporalNamespace'
  | 'temporalUiUrl'
  | 'secondApprovalAboveUsd'

/** The services that the handlers of an API process use. */
export type Services = {
  config: Pick<Config, Configured>
  /** The versions of the API that are served. */
  versions: Versions
  database: Database
  engine: Engine
  /** Their vault stores card numbers and one-time codes, and they tell who holds an account at a bank. */
  rails: Rails
  /** The providers of live rails, which send their callbacks here. */
  providers: Providers
  /** The exchange rates between currencies. */
  rates: ExchangeRates
  encrypter: Encrypter
  passwords: Passwords
  accessTokens: AccessTokens
  mailer: Mailer
  /** The new events, for the streams of this process. */
  eventFeed: EventFeed
  clock: Clock
  logger: Logger
  /** Whether the process was told to stop; left out where nobody tells it. */
  isStopping?: () => boolean
  /** How long a caller may take nothing of an answer; a minute where it is left out. */
  stuckMs?: number
  /** Where the calls of merchants are noted. */
  requestLog: RequestLog
  /** Counts each answered call for the metrics. Undefined where there are none. */
  measureCall?: ((call: AnsweredCall) => void) | undefined
  /** Makes a span of each call. Null or undefined where nothing is traced. */
  traceCall?: TraceCall | null
}
