import { defineEntity, p } from '@mikro-orm/core'
import { moment } from './columns.ts'

const schema = defineEntity({
  name: 'RateWindow',
  tableName: 'rate_windows',
  properties: {
    subject: p.string().length(80).primary(),
    windowStart: moment().index('rate_windows_by_age'),
    hits: p.integer(),
  },
})
/** Calls of one subject in one fixed minute; the table is unlogged, as a lost count harms nobody. */
export class RateWindow extends schema.class {}
schema.setClass(RateWindow)
