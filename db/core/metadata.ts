import type { EntityClass, EntityMetadata, EntityName } from '@mikro-orm/core'
import type { EntityManager } from '@mikro-orm/postgresql'

export type Row = Record<string, unknown>

/** What MikroORM knows of an entity, for code that works on rows of any table: its properties are any names. */
export type Meta = EntityMetadata<Row>

export const metaOf = (em: EntityManager, entity: EntityName<object>): Meta =>
  em.getMetadata().get(entity) as unknown as Meta

/** The same of a row that an `em` has created or read: its class is that of its entity. */
export const metaOfRow = (em: EntityManager, row: object): Meta => metaOf(em, row.constructor as EntityClass<object>)
