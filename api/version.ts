/** The dated versions of the interface, newest first; the first one serves who names none. */
export const apiVersions: readonly [string, ...string[]] = ['2026-11-20']
