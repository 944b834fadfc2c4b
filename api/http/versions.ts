/** The dated versions of an interface, newest first. */
export type Versions = readonly [string, ...string[]]

export const apiVersions: Versions = ['2026-11-20']
