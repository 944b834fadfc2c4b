import { defineEntity, p } from '@mikro-orm/core'
import { moment } from './columns.ts'

const schema = defineEntity({
  name: 'IdempotencyRecord',
  tableName: 'idempotency_records',
  properties: {
    // Hash of account, environment, method, path and the caller's key.
    id: p.string().length(64).primary(),
    bodyHash: p.string().length(64),
    // The id of the resource that the first call makes, so that a repeated call after a crash uses the same id.
    resourceId: p.string().strictNullable(),
    // Later than the database's time while the call runs. A call that waits for a process extends it; after a crash the
    // key is free again once it has passed.
    runningUntil: moment().strictNullable(),
    // The token of the call that holds the key: only this call may release it.
    heldBy: p.string().length(32).strictNullable(),
    status: p.smallint().strictNullable(),
    encryptedAnswer: p.text().strictNullable().fieldName('sealed_answer'),
    expiresAt: moment().index('idempotency_records_expired'),
  },
})
/** The answer that a repeated call gets again. It is encrypted, as answers may contain secrets and personal data. */
export class IdempotencyRecord extends schema.class {}
schema.setClass(IdempotencyRecord)
