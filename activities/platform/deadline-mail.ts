import { concludeAccount } from '../../commands/platform/change-account.ts'
import { inTransaction } from '../../db/core/database.ts'
import { isKept, keepMail } from '../../db/core/mail.ts'
import { clockTimeOf, timeOf } from '../../db/core/test-clock.ts'
import { verifiedOwnersOf } from '../../db/access/user.ts'
import { type AccountFile, factsOf, lockFile } from '../../db/platform/account-file.ts'
import type { Mail } from '../../domain/mail.ts'
import { nextStepOf } from '../../domain/platform/account-deadline.ts'
import { momentsOf, requirementsOf, restrictedAt } from '../../domain/platform/requirement.ts'
import { deliverEach } from '../deliver-each.ts'
import type { Deps } from '../deps.ts'

/** The deadline that a mail is due about, in milliseconds since the epoch; null: none is due. */
function deadlineToTell(file: AccountFile, at: number): number | null {
  const facts = factsOf(file)
  const step = nextStepOf({ ...facts, warnedOf: file.profile.warnedOf?.getTime() ?? null }, at)
  return step?.what === 'deadline_warning' && step.at <= at ? momentsOf(facts, at).deadline : null
}

/**
 * Mails an account and the owners of its platform about its next deadline, if a mail is due, and records that, so that
 * it is not sent again. Each gets a mail of their own: an account does not learn the addresses of the owners. The mails
 * name what is missing and no personal data.
 */
export async function sendDeadlineMail(deps: Deps, file: AccountFile, asked: number): Promise<void> {
  const { database, encrypter } = deps
  const em = database.orm.em.fork()
  const at = (await clockTimeOf(em, file.profile)) ?? asked
  const deadline = deadlineToTell(file, at)
  if (deadline === null) return
  const { account, profile } = file
  const platformId = account.ownerId ?? account.id
  const owners = await verifiedOwnersOf(em, platformId)
  const others = owners.map(({ email }) => email).filter((email) => email !== profile.email)
  const mails = [
    ...(profile.email ? [mailOf(file, { to: profile.email, reader: 'account', deadline })] : []),
    ...(others.length > 0 ? [mailOf(file, { to: others.join(', '), reader: 'platform', deadline })] : []),
  ]
  const taken = await deliverEach(deps, mails, { accountId: account.id })
  await inTransaction(database, async (tx) => {
    const locked = await lockFile(tx, account.id, profile.environment)
    // Another try has sent the same mail meanwhile, and perhaps the one about a later deadline too.
    if (locked.profile.warnedOf?.getTime() !== profile.warnedOf?.getTime()) return
    const now = await timeOf(tx, locked.profile, asked)
    await concludeAccount(tx, locked, now, () => void (locked.profile.warnedOf = new Date(deadline)))
    if (!isKept(profile.environment)) return
    for (const mail of taken) keepMail(tx, encrypter, { accountId: platformId, mail, at: now })
  })
}

/** What happens at a deadline. Capabilities are named as in the API. */
const consequenceOf = (restricted: ReturnType<typeof restrictedAt>): string =>
  restricted === 'account'
    ? 'the account is restricted: it takes no payments and pays nothing out'
    : `these capabilities are restricted and cannot be used: ${restricted.join(', ')}. This lasts`

type Telling = { to: string; reader: 'account' | 'platform'; deadline: number }

function mailOf(file: AccountFile, { to, reader, deadline }: Telling): Mail {
  const { account, profile } = file
  const until = new Date(deadline).toISOString()
  const facts = factsOf(file)
  const missing = requirementsOf(facts, deadline).pastDue
  const text = `Account ${account.id} (${profile.environment}) has to provide this by ${until}:

${missing.map((code) => `- ${code}`).join('\n')}

After that ${consequenceOf(restrictedAt(facts, deadline))} until the information is provided and
accepted. Provide it by the API (PATCH /v1/accounts/${account.id}) or on the hosted onboarding page.`
  const subject = 'Information about your account is due in a week'
  return { to, subject, text, messageId: `<${account.id}.${deadline}.${reader}@steadypay>` }
}
