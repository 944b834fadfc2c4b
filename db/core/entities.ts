import { Account } from './account.ts'
import { AuditEntry } from './audit.ts'
import { IdempotencyRecord } from './idempotency.ts'
import { KeptMail } from './mail.ts'
import { OutboxRow } from './outbox.ts'
import { OverloadedAccount } from './overloaded-account.ts'
import { ProcessRestart } from './process-restart.ts'
import { RateWindow } from './rate-window.ts'
import { RowCount } from './row-count.ts'

/** What belongs to no noun: outbox, idempotency, limits, counts. */
export const coreEntities = [
  Account,
  AuditEntry,
  IdempotencyRecord,
  KeptMail,
  OutboxRow,
  OverloadedAccount,
  ProcessRestart,
  RateWindow,
  RowCount,
]
