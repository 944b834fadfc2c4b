import type { Database } from '../db/core/database.ts'
import type { Encrypter } from '../db/core/encryption.ts'
import type { Clock } from '../domain/clock.ts'
import type { RiskLimits } from '../domain/payout/risk.ts'
import type { Mailer } from '../domain/mail.ts'
import type { ProcessView } from './process-view.ts'
import type { ExchangeRates } from '../rails/exchange-rates.ts'
import type { Rails } from '../rails/index.ts'
import type { WebhookHttp } from './webhook/http.ts'

/** What activities depend on. Each operating-system process passes its own to the factories. */
export type Deps = {
  database: Database
  /** The real time, for what a step does itself. What a process waits for goes by the process's own time. */
  clock: Clock
  rails: Rails
  /** The exchange rates between currencies. */
  rates: ExchangeRates
  encrypter: Encrypter
  webhooks: WebhookHttp
  mailer: Mailer
  /** From which amounts on staff review a live payout before it is sent. */
  riskLimits: RiskLimits
  /** Tells which processes run. */
  processView: ProcessView
  logger: { warn(about: object, message: string): void; error(about: object, message: string): void }
}
