import { Payment } from '../../db/checkout/payment.ts'
import { SavedPaymentMethod } from '../../db/checkout/payment-method.ts'
import { Customer } from '../../db/customer/customer.ts'
import { inTransaction, lock, publicUrlOf } from '../../db/core/database.ts'
import { isKept, keepMail } from '../../db/core/mail.ts'
import { timeOf } from '../../db/core/test-clock.ts'
import { readSettings } from '../../db/platform/account-settings.ts'
import { Invoice } from '../../db/subscription/invoice.ts'
import { SubscriptionMail } from '../../db/subscription/mail.ts'
import { localeOfSale } from '../../db/subscription/sale-locale.ts'
import { Subscription } from '../../db/subscription/subscription.ts'
import { dayMs } from '../../domain/duration.ts'
import { Refusal } from '../../domain/refusal.ts'
import { isOutdated, subscriptionMails } from '../../domain/subscription/mail.ts'
import type { Mail } from '../../domain/mail.ts'
import { type Failure, isRefused } from '../deliver-each.ts'
import type { Deps } from '../deps.ts'
import { mailLanguageOf } from './mail-language.ts'
import { writeMail } from './mail-text.ts'

/**
 * For how long a mail is tried again that its server refuses. That may be for good, or for a fault of ours: an operator
 * has these days to mend it, also over a weekend.
 */
const refusedForMs = 3 * dayMs

/**
 * Sends the mails of a subscription that are due, the oldest first, and records each. One that is outdated is recorded
 * only. A mail that was sent and not recorded is sent again with the same id, so that a mail program shows it once. One
 * that its server refuses does not hold back the next ones: this refuses once they are sent, so that the process rests
 * and then sends it again. It is given up when it is old.
 */
export async function sendDueMails(deps: Deps, id: string, asked: number): Promise<void> {
  const due = await deps.database.orm.em.fork().find(SubscriptionMail, { subscriptionId: id, sentAt: null })
  let refusals = 0
  for (const { id: mailId } of due.toSorted(inOrder)) {
    const mail = await readDueMail(deps, mailId, asked)
    if (!mail) continue
    const refusal = await deliver(deps, mail)
    const isOver = await record(deps, { id: mailId, mail, refusal }, asked)
    if (!isOver) refusals += 1
  }
  // A refusal, as the engine would repeat the step at once after any other error: the server would refuse it once more.
  if (refusals > 0)
    throw new Refusal('CONFLICT', `the mail server has refused mails, which are sent again: ${refusals}`)
}

/**
 * A mail as it is to be sent. Null: another try of the step has sent it meanwhile, or what it says is over, so that it
 * is recorded and not sent.
 */
const readDueMail = ({ database, logger }: Deps, mailId: string, asked: number): Promise<Mail | null> =>
  inTransaction(database, async (em) => {
    const row = await lock(em, SubscriptionMail, mailId)
    if (row.sentAt) return null
    const subscription = await em.findOneOrFail(Subscription, { id: row.subscriptionId })
    const customer = await em.findOneOrFail(Customer, { id: subscription.customerId })
    const invoice = row.invoiceId ? await em.findOneOrFail(Invoice, { id: row.invoiceId }) : null
    const merchant = await readSettings(em, subscription)
    const { latePaymentPolicy } = merchant
    const at = await timeOf(em, row, asked)
    if (isOutdated(row.kind, { subscription, invoice, latePaymentPolicy }, at)) {
      row.sentAt = new Date(at)
      logger.warn({ subscriptionId: row.subscriptionId, mailId }, 'a mail was not sent, as what it says is over')
      return null
    }
    const payment = invoice?.paymentId ? await em.findOneOrFail(Payment, { id: invoice.paymentId }) : null
    const { collection, paymentMethodId } = subscription
    const card =
      collection === 'automatic' && paymentMethodId
        ? await em.findOneOrFail(SavedPaymentMethod, { id: paymentMethodId })
        : null
    // Read now and not when the mail was stored: the customer may have another language since.
    const language = mailLanguageOf(await localeOfSale(em, subscription))
    const about = { subscription, customer, invoice, payment, card, merchant, publicUrl: publicUrlOf(em) }
    return writeMail(row, about, language)
  })

/** How a mail was refused, without the server's words, which may quote the mail. */
type Refused = { [Name in 'code' | 'responseCode']: Failure[Name] | undefined }

/**
 * Sends a mail. Returns how its server has refused it; null: it is taken. Throws where the server takes no mail at all
 * now.
 */
const deliver = ({ mailer }: Deps, mail: Mail): Promise<Refused | null> =>
  mailer.deliver(mail).then(
    () => null,
    (error: Failure) => {
      if (!isRefused(error)) throw error
      return { code: error.code, responseCode: error.responseCode }
    },
  )

type Tried = { id: string; mail: Mail; refusal: Refused | null }

/**
 * Whether a refused mail is tried again. One of a test clock is not: the clock waits for it, and its time says nothing
 * about how long an operator has had. Once the clock is deleted, a mail may be of the future.
 */
const isYoung = ({ clockId, createdAt }: SubscriptionMail, at: number): boolean =>
  !clockId && Math.abs(at - createdAt.getTime()) < refusedForMs

/** Records a mail that was taken, or that is given up. False: it is sent again. */
const record = ({ database, encrypter, logger }: Deps, { id, mail, refusal }: Tried, asked: number): Promise<boolean> =>
  inTransaction(database, async (em) => {
    const row = await lock(em, SubscriptionMail, id)
    if (row.sentAt) return true // another try of this step has sent it meanwhile
    const at = await timeOf(em, row, asked)
    const { accountId, environment, subscriptionId } = row
    const about = { subscriptionId, mailId: id, ...refusal }
    if (refusal && isYoung(row, at)) {
      logger.warn(about, 'a mail was refused, and is sent again')
      return false
    }
    row.sentAt = new Date(at)
    if (refusal) logger.error(about, 'a mail was not sent')
    else if (isKept(environment)) keepMail(em, encrypter, { accountId, mail, at })
    return true
  })

/**
 * The oldest first. Mails of the same moment are sent in the order of `subscriptionMails`: the failed payment before
 * the end of the subscription.
 */
const inOrder = (one: SubscriptionMail, other: SubscriptionMail): number =>
  one.createdAt.getTime() - other.createdAt.getTime() ||
  subscriptionMails.indexOf(one.kind) - subscriptionMails.indexOf(other.kind)
