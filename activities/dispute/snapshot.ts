import type { EntityManager } from '../../db/core/database.ts'
import { clockTimeOf } from '../../db/core/test-clock.ts'
import type { Dispute } from '../../db/dispute/dispute.ts'
import type { DisputeStatus } from '../../domain/dispute/dispute.ts'

/** The state of a dispute that its process needs: no personal data, times in milliseconds since the epoch. */
export type DisputeSnapshot = {
  /** Of two snapshots the one with the higher revision is the newer. */
  revision: number
  status: DisputeStatus
  /** When it does something by itself: it warns, or is lost because nobody answered; null: nothing. */
  wakesAt: number | null
  evidenceDueAt: number
  /** When the network is asked; null: only once it has news. */
  pollAt: number | null
  /** What the network still has to be told. */
  railDue: 'evidence' | 'acceptance' | null
  /** The time of its test clock; null: the real time. */
  clockTime: number | null
}

export const snapshotOf = async (em: EntityManager, row: Dispute): Promise<DisputeSnapshot> => ({
  revision: row.revision,
  status: row.status,
  wakesAt: row.wakesAt?.getTime() ?? null,
  evidenceDueAt: row.evidenceDueAt.getTime(),
  pollAt: row.nextPollAt?.getTime() ?? null,
  railDue: row.railDue,
  clockTime: await clockTimeOf(em, row),
})
