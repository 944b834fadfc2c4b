import { defineEntity, p } from '@mikro-orm/core'
import { actors } from '../../domain/sight/timeline.ts'
import { moment, onClock, tenant } from '../core/columns.ts'

const schema = defineEntity({
  name: 'TimelineItem',
  tableName: 'timeline_items',
  properties: {
    id: p.bigint().primary().autoincrement(),
    ...tenant,
    ...onClock,
    resourceId: p.string(),
    // The status before; null for the creation of the resource.
    fromStatus: p.string().length(32).strictNullable(),
    status: p.string().length(32),
    at: moment(),
    actor: p.enum(actors),
    // The person who did it, where that is known. Only staff read it.
    userId: p.string().strictNullable(),
    // Why the resource has failed, as a code.
    errorCode: p.string().length(64).strictNullable(),
    // How often the resource's rail had been asked by then.
    pollCount: p.integer(),
    // What the same commit has recorded and posted about the resource.
    eventIds: p.array(),
    ledgerTransactionIds: p.array(),
  },
  indexes: [
    { name: 'timeline_items_on_clock', properties: ['clockId'], where: 'clock_id is not null' },
    { name: 'timeline_items_of_resource', properties: ['resourceId', 'id'] },
  ],
})
/** One change of a resource's status, written in the commit that changed it. Rows are only ever added. */
export class TimelineItem extends schema.class {}
schema.setClass(TimelineItem)
