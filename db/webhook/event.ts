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
    // Strictly increasing, gaps possible; shown to receivers so that they can order what arrives out of order.
    sequence: p.bigint().autoincrement().unique(),
    // The envelope exactly as every attempt sends it: frozen here, never built again. Empty once it has been erased.
    body: p.text(),
    // Sent by a merchant who tries an endpoint out: it is not what has happened, and so in no list.
    isTest: p.boolean().default(false),
    createdAt: moment(),
  },
  indexes: [
    {
      name: 'events_newest',
      properties: ['accountId', 'environment', 'createdAt', 'id'],
      where: 'not is_test',
    },
    {
      name: 'events_newest_by_type',
      properties: ['accountId', 'environment', 'type', 'createdAt', 'id'],
      where: 'not is_test',
    },
    { name: 'events_kept', properties: ['createdAt'], where: "body <> ''" },
  ],
})
/** Something that happened to a resource, told in the same commit as the change. */
export class Event extends schema.class {}
schema.setClass(Event)
