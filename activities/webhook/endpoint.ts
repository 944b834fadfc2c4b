import { LockMode } from '@mikro-orm/core'
import { Account } from '../../db/core/account.ts'
import type { Tenant } from '../../db/core/columns.ts'
import { type EntityManager, inTransaction } from '../../db/core/database.ts'
import { isKept, keepMail } from '../../db/core/mail.ts'
import { clockTimeOf } from '../../db/core/test-clock.ts'
import { verifiedOwnersOf } from '../../db/access/user.ts'
import { WebhookEndpoint } from '../../db/webhook/endpoint.ts'
import { type FailingRun, nextConsequenceAt } from '../../domain/webhook/endpoint.ts'
import type { Deps } from '../deps.ts'
import type { Mail } from '../../domain/mail.ts'

/**
 * The state of a failing endpoint, for its process; null once it no longer fails, false once it is switched off or
 * deleted. (Not a word: what is not true ends a process also by the code of releases before 2026-11-30.)
 */
export type EndpointSnapshot = (FailingRun & { clockTime: number | null }) | null | false

/** The steps of the `webhook-endpoint` process. Each returns the endpoint's state. */
export const webhookEndpointActivities = (deps: Deps) => ({
  readFailingRun: async (endpointId: string): Promise<EndpointSnapshot> => {
    const em = deps.database.orm.em.fork()
    return runOf(em, await em.findOne(WebhookEndpoint, { id: endpointId }))
  },

  /**
   * Mails the owners of an endpoint that has failed for a day, and then records when, as the endpoint's last two days
   * count from it, also where no owner has a verified address. If the worker stops between the two, the mail is sent
   * again under the same id.
   */
  mailFailingEndpoint: async (endpointId: string, asked: number): Promise<EndpointSnapshot> => {
    const em = deps.database.orm.em.fork()
    const endpoint = await em.findOne(WebhookEndpoint, { id: endpointId })
    const run = await runOf(em, endpoint)
    if (!endpoint || !run) return run
    const at = run.clockTime ?? asked
    if (run.warnedAt !== null || at < nextConsequenceAt(run)) return run
    const mail = await warningOf(em, endpoint, run)
    if (mail) await deps.mailer.deliver(mail)
    return inTransaction(deps.database, async (tx) => {
      const changed = await change(tx, endpointId, run, (row) => {
        if (row.warnedAt) return // another try has sent the same mail meanwhile
        row.warnedAt = new Date(at)
        if (mail && isKept(row.environment)) keepMail(tx, deps.encrypter, { accountId: row.accountId, mail, at })
      })
      return runOf(tx, changed)
    })
  },

  /**
   * Switches off an endpoint that has failed for too long. Later events for it are kept as skipped deliveries. Returns
   * null once it is switched off for that, and where its run has ended otherwise meanwhile: `ended` after a success,
   * false if its merchant has switched it off or deleted it.
   */
  disableEndpoint: (endpointId: string, run: FailingRun, asked: number): Promise<EndpointSnapshot | 'ended'> =>
    inTransaction(deps.database, async (em) => {
      const row = await change(em, endpointId, run, async (changed) => {
        const now = await runOf(em, changed)
        if (!now || (now.clockTime ?? asked) < nextConsequenceAt(now)) return
        const at = now.clockTime ?? asked
        changed.enabled = false
        changed.disabledAt = changed.updatedAt = new Date(at)
        changed.disabledReason = 'consecutive_failures'
      })
      const left = await runOf(em, row)
      // A step whose answer was lost is made again: then its first try has switched the endpoint off.
      if (left === false && row?.disabledReason === 'consecutive_failures') return null
      return left ?? 'ended'
    }),
})

async function runOf(em: EntityManager, endpoint: WebhookEndpoint | null): Promise<EndpointSnapshot> {
  if (!endpoint?.enabled) return false
  if (endpoint.failingSince === null) return null
  const [failingSince, warnedAt] = [endpoint.failingSince.getTime(), endpoint.warnedAt?.getTime() ?? null]
  return { failingSince, warnedAt, clockTime: await clockTimeOf(em, endpoint) }
}

type Work = (row: WebhookEndpoint) => void | Promise<void>

/** Locks an endpoint and changes it, unless its run of failures has ended or a new run has begun meanwhile. */
async function change(em: EntityManager, id: string, run: FailingRun, work: Work): Promise<WebhookEndpoint | null> {
  const row = await em.findOne(WebhookEndpoint, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE })
  const now = await runOf(em, row)
  if (row && now && now.failingSince === run.failingSince) await work(row)
  return row
}

/**
 * One mail to all owners with a verified address of the account, or of the platform to which it is connected; null
 * where there are none.
 */
async function warningOf(em: EntityManager, endpoint: WebhookEndpoint, run: FailingRun): Promise<Mail | null> {
  const to = await ownerAddressesOf(em, endpoint)
  if (to.length === 0) return null
  const { id, environment } = endpoint
  const since = new Date(run.failingSince).toISOString()
  const text = `Every delivery to your webhook endpoint ${id} (${hostOf(endpoint)}, ${environment}) has failed
since ${since}.

We disable the endpoint once it has failed for 72 hours, and not before 48 hours from now. Any delivery that succeeds
until then, including a test event, keeps it enabled. Missed events are kept and can be resent.`
  const subject = 'Your webhook endpoint has been failing for a day'
  return { to: to.join(', '), subject, text, messageId: `<${id}.${run.failingSince}@steadypay>` }
}

const hostOf = ({ url }: WebhookEndpoint): string => new URL(url ?? '').host

async function ownerAddressesOf(em: EntityManager, { accountId }: Tenant): Promise<string[]> {
  const account = await em.findOneOrFail(Account, { id: accountId })
  const owners = await verifiedOwnersOf(em, account.ownerId ?? account.id)
  return owners.map(({ email }) => email)
}

/** The types of the activities, for the process that calls them. */
export type WebhookEndpointActivities = ReturnType<typeof webhookEndpointActivities>
