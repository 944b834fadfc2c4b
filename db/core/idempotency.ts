import { defineEntity, p } from '@mikro-orm/core'
import { moment } from './columns.ts'

const schema = defineEntity({
  name: 'IdempotencyRecord',
  tableName: 'idempotency_records',
  properties: {
    // Hash of account, environment, method, path and the caller's key.
    id: p.string().length(64).primary(),
    bodyHash: p.string().length(64),
    // The id chosen for what the first call makes, so that a call that was cut off goes on with the same one.
    resourceId: p.string().strictNullable(),
    // Ahead of the database's clock while a call that waits for a process is under way, as its process moves it on; a
    // crash frees the key when it has passed.
    runningUntil: moment().strictNullable(),
    // The token of that call: nobody else's may let go of the key.
    heldBy: p.string().length(32).strictNullable(),
    status: p.smallint().strictNullable(),
    encryptedAnswer: p.text().strictNullable().fieldName('sealed_answer'),
    expiresAt: moment().index('idempotency_records_expired'),
  },
})
/** The answer that a repeated call gets again; encrypted, as answers may show secrets and personal data. */
export class IdempotencyRecord extends schema.class {}
schema.setClass(IdempotencyRecord)
