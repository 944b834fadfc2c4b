import { readFileSync } from 'node:fs'

/**
 * The release before this code: its commit, and the newest migration that it knows. Its processes run on the schema of
 * this code. docs/operating/upgrading.md says when it moves on ("Migrations that the previous release can work with").
 */
export const previousRelease = JSON.parse(readFileSync(new URL('previous-release.json', import.meta.url), 'utf8')) as {
  commit: string
  lastMigration: string
}
