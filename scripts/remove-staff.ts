// npm run remove-staff -- ada@…: removes a person who leaves from the staff of the platform, in the database of
// DATABASE_URL. Their sessions end, and an open invitation of theirs. The last one of the staff stays.
import { Value } from 'typebox/value'
import { removeStaff } from '../commands/access/remove-staff.ts'
import { StoredEmail } from '../schemas/common.ts'
import { changeByOperator } from './infra/change-by-operator.ts'
import { commandLine } from './infra/command-line.ts'
import { readArguments, runCommand } from './infra/run-command.ts'

const usage = `Usage: ${commandLine('remove-staff', 'EMAIL')}`

const read = ([email = '', ...more]: string[]): string | null =>
  Value.Check(StoredEmail, email) && more.length === 0 ? email : null

const remove = (email: string): Promise<number> =>
  changeByOperator(async (em, by, now) =>
    (await removeStaff(em, { email, by }, now)) === 'person'
      ? `${email} is not of the staff any more. Their sessions have ended.`
      : `${email} had not joined yet. Their link no longer works.`,
  )

await runCommand(readArguments(read), { usage, run: remove, failureCode: 1 })
