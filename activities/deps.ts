import type { Database } from '../db/core/database.ts'
import type { Encrypter } from '../db/core/encryption.ts'
import type { Clock } from '../domain/clock.ts'
import type { RiskLimits } from '../domain/payout/risk.ts'
import type { Mailer } from '../domain/mail.ts'
import type { ProcessView } from './process-view.ts'
import type { ExchangeRates } from '../rails/exchange-rates.ts'
import type { Rails } from '../rails/index.ts'
import type { WebhookHttp } from './webhook/http.ts'

/** What activities act with; each process hands its own to the factories. */
export type Deps = {
  database: Database
  /** What a step does itself has happened then; what a process waits for has its own time. */
  clock: Clock
  rails: Rails
  /** What one currency is worth in another. */
  rates: ExchangeRates
  encrypter: Encrypter
  webhooks: WebhookHttp
  mailer: Mailer
  /** From where on somebody looks at a live payout before it leaves. */
  riskLimits: RiskLimits
  /** Which processes run. */
  processView: ProcessView
  logger: { warn(about: object, message: string): void; error(about: object, message: string): void }
}
