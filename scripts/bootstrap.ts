// npm run bootstrap -- --organization "Acme Ltd" --owner ada@… --reviewer grace@…: creates the first organization of a
// new service, in the database of DATABASE_URL, and prints a link for its owner and one for a reviewer. No password and
// no other secret is made: whoever opens a link chooses them. Refuses where there is an organization already.
import { parseArgs } from 'node:util'
import { Value } from 'typebox/value'
import { bootstrap } from '../commands/access/invite-by-operator.ts'
import { Email, nameOf } from '../schemas/common.ts'
import { changeByOperator } from './infra/change-by-operator.ts'
import { linkTo } from './infra/invitation-link.ts'

const usage = `Usage: npm run bootstrap -- --organization NAME --owner EMAIL --reviewer EMAIL
  NAME   of the first organization: one line of at most 100 characters
  EMAIL  of two people: one address signs in to one thing only`

const given = read()

if (given === null) {
  console.error(usage)
  process.exitCode = 2
} else {
  await changeByOperator(async (em, by, now) => {
    const { accountId, ownerToken, reviewerToken } = await bootstrap(em, { people: given, by }, now)
    return `The organization is ${accountId}. These links work once, for 7 days. They are not shown again:

  Owner     ${given.ownerEmail}
            ${linkTo(ownerToken)}
  Reviewer  ${given.reviewerEmail}
            ${linkTo(reviewerToken)}

Whoever opens a link can join as this person: pass each on to its person only. A new link: npm run invite.
To let the organization go live: npm run activate -- ${accountId}`
  })
}

/** What the flags say; null if they are not as they must be. */
function read() {
  try {
    const options = {
      organization: { type: 'string' },
      owner: { type: 'string' },
      reviewer: { type: 'string' },
    } as const
    const { organization = '', owner = '', reviewer = '' } = parseArgs({ options }).values
    const isGood =
      Value.Check(nameOf(100), organization) &&
      [owner, reviewer].every((email) => Value.Check(Email, email)) &&
      owner.toLowerCase() !== reviewer.toLowerCase()
    return isGood ? { organization, ownerEmail: owner, reviewerEmail: reviewer } : null
  } catch {
    return null // a flag that does not exist
  }
}
