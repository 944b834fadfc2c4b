import type { EntityManager } from '../core/database.ts'
import { type Findable, findables } from './findable.ts'

/** A row, with the kind of resource that it is. Only the columns that its kind names may be shown. */
export type FoundRow = { kind: Findable; row: Record<string, unknown> }

/** The resource with this id, of any kind and any account; null where there is none. */
export async function findRow(em: EntityManager, id: string): Promise<FoundRow | null> {
  const isNamed = ({ prefix }: Findable) => (prefix === null ? id.includes('/') : id.startsWith(`${prefix}_`))
  for (const kind of findables.filter(isNamed)) {
    const row = await em.findOne(kind.entity, { id })
    if (row) return { kind, row: row as unknown as Record<string, unknown> }
  }
  return null
}
