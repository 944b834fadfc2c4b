import { IdempotencyRecord } from './idempotency.ts'
import { KeptMail } from './mail.ts'
import { OutboxRow } from './outbox.ts'
import { OverloadedAccount } from './overloaded-account.ts'
import { ProcessRestart } from './process-restart.ts'
import { RateWindow } from './rate-window.ts'
import { RowCount } from './row-count.ts'

/** What belongs to no noun: outbox, idempotency, limits, counts. */
export const coreEntities = [
  IdempotencyRecord,
  KeptMail,
  OutboxRow,
  OverloadedAccount,
  ProcessRestart,
  RateWindow,
  RowCount,
]
