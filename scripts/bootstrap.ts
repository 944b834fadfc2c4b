// npm run bootstrap -- --organization "Acme Ltd" --owner ada@… --reviewer grace@…: creates the first organization of a
// new service, in the database of DATABASE_URL, and prints a link for its owner and one for a reviewer. No password and
// no other secret is made: whoever opens a link chooses them. Refuses where there is an organization already.
import { Value } from 'typebox/value'
import { bootstrap, type FirstPeople } from '../commands/access/bootstrap.ts'
import { Email, nameOf } from '../schemas/common.ts'
import { changeByOperator } from './infra/change-by-operator.ts'
import { commandLine } from './infra/command-line.ts'
import { linkTo } from './infra/invitation-link.ts'
import { readOptions, runCommand } from './infra/run-command.ts'

const usage = `Usage: ${commandLine('bootstrap', '--organization NAME --owner EMAIL --reviewer EMAIL')}
  NAME   of the first organization: one line of at most 100 characters
  EMAIL  of two people: one address signs in to one thing only`

const text = { type: 'string' } as const
const options = { organization: text, owner: text, reviewer: text }

/** What the options say; null if they are not as they must be. */
function read(values: Partial<Record<keyof typeof options, string>>, given: string[]): FirstPeople | null {
  const { organization = '', owner = '', reviewer = '' } = values
  const isGood =
    given.length === 0 &&
    Value.Check(nameOf(100), organization) &&
    [owner, reviewer].every((email) => Value.Check(Email, email)) &&
    owner.toLowerCase() !== reviewer.toLowerCase()
  return isGood ? { organization, ownerEmail: owner, reviewerEmail: reviewer } : null
}

const begin = (people: FirstPeople): Promise<number> =>
  changeByOperator(async (em, by, now) => {
    const { accountId, ownerToken, reviewerToken } = await bootstrap(em, { people, by }, now)
    return `The organization is ${accountId}. These links work once, for 7 days. They are not shown again:

  Owner     ${people.ownerEmail}
            ${linkTo(ownerToken)}
  Reviewer  ${people.reviewerEmail}
            ${linkTo(reviewerToken)}

Whoever opens a link can join as this person: pass each on to its person only. A new link: ${commandLine('invite')}.
To let the organization go live: ${commandLine('activate', accountId)}`
  })

await runCommand(readOptions(options, read), { usage, run: begin, failureCode: 1 })
