import { minuteMs } from '../duration.ts'

/** What a private document belongs to. */
export const documentSubjects = ['account', 'person', 'dispute'] as const
export type DocumentSubject = (typeof documentSubjects)[number]

/** How long a link to a private document opens it. */
export const documentLinkMs = 5 * minuteMs
