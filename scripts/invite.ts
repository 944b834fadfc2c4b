// npm run invite -- reviewer ada@…, or: npm run invite -- owner ada@… acct_…: prints a link with which a person joins
// the staff of the platform, or an organization as its owner, in the database of DATABASE_URL. An earlier link for the
// same address no longer works.
import { Value } from 'typebox/value'
import { type InvitedPerson, inviteByOperator } from '../commands/access/invite-by-operator.ts'
import { Email } from '../schemas/common.ts'
import { changeByOperator } from './infra/change-by-operator.ts'
import { commandLine } from './infra/command-line.ts'
import { linkTo } from './infra/invitation-link.ts'
import { readArguments, runCommand } from './infra/run-command.ts'

const usage = `Usage: ${commandLine('invite', 'reviewer EMAIL')}
       ${commandLine('invite', 'owner EMAIL acct_…')}`

function read([role, email = '', accountId, ...more]: string[]): InvitedPerson | null {
  if (!Value.Check(Email, email) || more.length > 0) return null
  if (role === 'reviewer' && accountId === undefined) return { role, email, accountId: null }
  return role === 'owner' && accountId?.startsWith('acct_') ? { role, email, accountId } : null
}

const invite = (person: InvitedPerson): Promise<number> =>
  changeByOperator(async (em, by, now) => {
    const token = await inviteByOperator(em, { person, by }, now)
    return `This link for ${person.email} works once, for 7 days. It is not shown again:\n\n  ${linkTo(token)}`
  }, person.accountId)

await runCommand(readArguments(read), { usage, run: invite, failureCode: 1 })
