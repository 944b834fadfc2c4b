import { defineEntity, p } from '@mikro-orm/core'
import { environments } from '../../domain/access/scope.ts'
import { moment } from '../core/columns.ts'

const schema = defineEntity({
  name: 'Deposit',
  tableName: 'deposits',
  properties: {
    // The id of the deposit's payment.
    id: p.string().primary(),
    environment: p.enum(environments),
    virtualAccountId: p.string().index('deposits_by_virtual_account'),
    sessionId: p.string().length(64),
    createdAt: moment(),
  },
  // One transfer makes one payment: the database refuses a second one, however often the bank sends its notice.
  uniques: [{ name: 'deposits_once', properties: ['virtualAccountId', 'sessionId'] }],
})
/** A transfer into a virtual account, told apart from others into the same one by its interbank session id. */
export class Deposit extends schema.class {}
schema.setClass(Deposit)
