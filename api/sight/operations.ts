import type { Operation } from '../http/operation.ts'
import { agendaOperations } from './agenda.ts'
import { listAudit } from './audit.ts'
import { findResource } from './find-resource.ts'
import { getRequestLog, listRequestLogs } from './request-log.ts'
import { listStuck } from './stuck.ts'
import { operatorOperations } from './operator-actions.ts'
import { readStaffDispute } from './staff-dispute.ts'
import { timelineOperations } from './timeline.ts'

/**
 * The operations of the area: what has happened to a resource, what it waits for, what is stuck, and
 * what staff do about it.
 */
export const sightOperations: readonly Operation[] = [
  ...agendaOperations,
  ...timelineOperations,
  listRequestLogs,
  getRequestLog,
  listStuck,
  findResource,
  listAudit,
  readStaffDispute,
  ...operatorOperations,
]
