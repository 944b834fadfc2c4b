import type { Tenant } from '../../db/core/columns.ts'
import type { TrackedRow } from '../../db/sight/timeline.ts'
import { type Tracked, trackedResources } from '../../db/sight/tracked.ts'

/** What the timeline knows of a kind of row. */
export const trackedBy = <T extends Tenant & TrackedRow>(entity: Tracked<T>['entity']): Tracked<T> => {
  // The list does not know the type of each row (`track`): its entity says it.
  const tracked = trackedResources.find((each) => each.entity === (entity as unknown))
  if (!tracked) throw new Error(`${entity.name} has no timeline`)
  return tracked as unknown as Tracked<T>
}
