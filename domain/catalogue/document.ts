import { minuteMs } from '../duration.ts'

/** What a private document belongs to. */
export const documentSubjects = ['account', 'person', 'dispute'] as const
export type DocumentSubject = (typeof documentSubjects)[number]

/**
 * The most documents that an account and its persons have together, as all of them are read with the account. A further
 * one takes the place of the oldest that no longer counts.
 */
export const accountDocumentsMax = 200

/** How long a link to a private document opens it. */
export const documentLinkMs = 5 * minuteMs
