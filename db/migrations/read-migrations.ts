import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'

/** One numbered SQL file. Its name is without `.sql`; the checksum is the SHA-256 of its text, in hexadecimal. */
export type Migration = { name: string; text: string; checksum: string }

/** The files are not numbered 0001, 0002 and so on, each number once. */
export class MisnumberedMigration extends Error {}

/** The migrations of a folder in their order, which is that of their numbers. Throws `MisnumberedMigration`. */
export function readMigrations(folder = new URL('./', import.meta.url)): Migration[] {
  const files = readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .toSorted()
  checkNumbers(files)
  return files.map((file) => {
    const text = readFileSync(new URL(file, folder), 'utf8')
    return { name: file.slice(0, -'.sql'.length), text, checksum: checksumOf(text) }
  })
}

function checkNumbers(files: string[]): void {
  for (const [index, file] of files.entries()) {
    const [, number] = /^(\d{4})-[a-z\d-]+\.sql$/.exec(file) ?? []
    const next = String(index + 1).padStart(4, '0')
    if (!number) {
      throw new MisnumberedMigration(
        `The migration ${file} needs a name such as ${next}-what-it-adds.sql: four digits, then small letters.`,
      )
    }
    if (number < next) {
      throw new MisnumberedMigration(
        `The migrations ${files[index - 1]} and ${file} have the same number: give the newer one the next free number.`,
      )
    }
    if (number > next) {
      throw new MisnumberedMigration(
        `The migration ${file} comes too early: there is none with the number ${next}, and no number may be left out.`,
      )
    }
  }
}

/** How the lines of a text end does not count, as a checkout may change it. */
const checksumOf = (text: string): string => createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex')
