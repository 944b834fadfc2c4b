import type { Operation } from '../http/operation.ts'
import { agendaOperations } from './agenda.ts'
import { timelineOperations } from './timeline.ts'

/** The operations of the area: what has happened to a resource, and what it waits for. */
export const sightOperations: readonly Operation[] = [...agendaOperations, ...timelineOperations]
