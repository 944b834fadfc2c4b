import { defineEntity, p } from '@mikro-orm/core'
import type { EventType } from '../../domain/webhook/event.ts'
import { moment, tenant } from '../core/columns.ts'

const schema = defineEntity({
  name: 'Event',
  tableName: 'events',
  properties: {
    id: p.string().primary(),
    ...tenant,
    type: p.string().$type<EventType>().length(64),
    resourceId: p.string().index('events_by_resource'),
    // Strictly increasing, with possible gaps. Receivers sort by it events that arrive out of order.
    sequence: p.bigint().autoincrement().unique(),
    // The envelope exactly as every attempt sends it. It is built once. Empty once it has been purged.
    body: p.text(),
    // A test event of a merchant. It reports nothing that has happened, and so is in no list.
    isTest: p.boolean().default(false),
    createdAt: moment(),
  },
  indexes: [
    {
      name: 'events_newest',
      properties: ['accountId', 'environment', 'createdAt', 'id'],
      where: "not is_test and body <> ''",
    },
    {
      name: 'events_newest_by_type',
      properties: ['accountId', 'environment', 'type', 'createdAt', 'id'],
      where: "not is_test and body <> ''",
    },
    {
      name: 'events_in_order',
      properties: ['accountId', 'environment', 'sequence'],
      where: "not is_test and body <> ''",
    },
    // For the purge alone. In the words of the lists it would be taken for them, and be read past all other accounts.
    { name: 'events_kept', properties: ['createdAt'], where: 'octet_length(body) > 0' },
  ],
})
/** Something that happened to a resource, recorded in the same commit as the change. */
export class Event extends schema.class {}
schema.setClass(Event)
