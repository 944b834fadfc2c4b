// npm run invite -- reviewer ada@…, or: npm run invite -- owner ada@… acct_…: prints a link with which a person joins
// the staff of the platform, or an organization as its owner, in the database of DATABASE_URL. An earlier link for the
// same address no longer works.
import { Value } from 'typebox/value'
import { type InvitedPerson, inviteByOperator } from '../commands/access/invite-by-operator.ts'
import { Email } from '../schemas/common.ts'
import { changeByOperator } from './infra/change-by-operator.ts'
import { linkTo } from './infra/invitation-link.ts'

const person = read(process.argv.slice(2))

if (person) {
  await changeByOperator(async (em, by, now) => {
    const token = await inviteByOperator(em, { person, by }, now)
    return `This link for ${person.email} works once, for 7 days. It is not shown again:\n\n  ${linkTo(token)}`
  })
} else {
  console.error('Usage: npm run invite -- reviewer EMAIL\n       npm run invite -- owner EMAIL acct_…')
  process.exitCode = 2
}

function read([role, email = '', accountId, ...more]: string[]): InvitedPerson | null {
  if (!Value.Check(Email, email) || more.length > 0) return null
  if (role === 'reviewer' && accountId === undefined) return { role, email, accountId: null }
  return role === 'owner' && accountId?.startsWith('acct_') ? { role, email, accountId } : null
}
