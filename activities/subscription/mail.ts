import { Customer } from '../../db/customer.ts'
import { inTransaction, lock, publicUrlOf } from '../../db/core/database.ts'
import { isKept, keepMail } from '../../db/core/mail.ts'
import { timeOf } from '../../db/core/test-clock.ts'
import { readSettings } from '../../db/platform/account-settings.ts'
import { Invoice } from '../../db/subscription/invoice.ts'
import { SubscriptionMail } from '../../db/subscription/mail.ts'
import { localeOfSale } from '../../db/subscription/sale-locale.ts'
import { Subscription } from '../../db/subscription/subscription.ts'
import { subscriptionMails } from '../../domain/subscription/mail.ts'
import type { Mail } from '../../domain/mail.ts'
import { type Failure, isRefusedForGood } from '../deliver-each.ts'
import type { Deps } from '../deps.ts'
import { mailLanguageOf } from './mail-language.ts'
import { writeMail } from './mail-text.ts'

/**
 * Sends the mails of a subscription that are due, the oldest first, and records each. A mail that was sent and not
 * recorded is sent again with the same id, so that a mail program shows it once. One that its server refuses for good
 * is recorded too, so that it does not hold back the next ones.
 */
export async function sendDueMails(deps: Deps, id: string, asked: number): Promise<void> {
  const { database, encrypter } = deps
  const due = await database.orm.em.fork().find(SubscriptionMail, { subscriptionId: id, sentAt: null })
  for (const { id: mailId } of due.toSorted(inOrder)) {
    const mail = await inTransaction(database, async (em) => {
      const row = await em.findOneOrFail(SubscriptionMail, { id: mailId })
      if (row.sentAt) return null // another try of this step has sent it meanwhile
      const subscription = await em.findOneOrFail(Subscription, { id })
      const customer = await em.findOneOrFail(Customer, { id: subscription.customerId })
      const invoice = row.invoiceId ? await em.findOneOrFail(Invoice, { id: row.invoiceId }) : null
      const merchant = await readSettings(em, subscription)
      // Read now and not when the mail was stored: the customer may have another language since.
      const language = mailLanguageOf(await localeOfSale(em, subscription))
      return writeMail(row, { subscription, customer, invoice, merchant, publicUrl: publicUrlOf(em) }, language)
    })
    if (!mail) continue
    const isTaken = await deliver(deps, mail, { subscriptionId: id, mailId })
    await inTransaction(database, async (em) => {
      const row = await lock(em, SubscriptionMail, mailId)
      if (row.sentAt) return
      const at = await timeOf(em, row, asked)
      row.sentAt = new Date(at)
      const { accountId, environment } = row
      if (isTaken && isKept(environment)) keepMail(em, encrypter, { accountId, mail, at })
    })
  }
}

/**
 * Sends a mail. False: its server refuses it for good, which is logged. Throws where it may be taken another time, so
 * that it is sent again.
 */
async function deliver({ mailer, logger }: Deps, mail: Mail, about: object): Promise<boolean> {
  try {
    await mailer.deliver(mail)
    return true
  } catch (error) {
    const failure = error as Failure
    if (!isRefusedForGood(failure)) throw error
    const { code, responseCode } = failure // without its message, which may quote the mail
    logger.error({ ...about, code, responseCode }, 'a mail was not sent')
    return false
  }
}

/**
 * The oldest first. Mails of the same moment are sent in the order of `subscriptionMails`: the failed payment before
 * the end of the subscription.
 */
const inOrder = (one: SubscriptionMail, other: SubscriptionMail): number =>
  one.createdAt.getTime() - other.createdAt.getTime() ||
  subscriptionMails.indexOf(one.kind) - subscriptionMails.indexOf(other.kind)
