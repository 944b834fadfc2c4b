import { escapeHtml } from '../../domain/html.ts'
import type { Payment } from '../../db/checkout/payment.ts'
import type { SavedPaymentMethod } from '../../db/checkout/payment-method.ts'
import type { Customer } from '../../db/customer/customer.ts'
import type { Invoice } from '../../db/subscription/invoice.ts'
import type { SubscriptionMail } from '../../db/subscription/mail.ts'
import type { Subscription } from '../../db/subscription/subscription.ts'
import { corridorOf } from '../../domain/corridor.ts'
import type { LanguageCode } from '../../domain/language.ts'
import type { Mail } from '../../domain/mail.ts'
import { isZero } from '../../domain/money.ts'
import type { AccountSettings } from '../../domain/platform/account-settings.ts'
import { namesOf, planOfPart } from '../../domain/subscription/invoice.ts'
import type { SubscriptionMailKind } from '../../domain/subscription/mail.ts'
import { invoicePageUrl } from '../../schemas/subscription/invoice.ts'
import type { MailLanguage } from './mail-language.ts'

/**
 * What a mail is about. `invoice` is null where it is about the subscription itself. `payment` is what has paid it, or
 * was last to pay it.
 */
export type MailSubject = {
  subscription: Subscription
  customer: Customer
  invoice: Invoice | null
  payment: Pick<Payment, 'amount' | 'amountReceived' | 'currency'> | null
  /** The card that is charged; null without one. */
  card: Pick<SavedPaymentMethod, 'corridor'> | null
  merchant: AccountSettings
  publicUrl: string
}

/** A link of a mail: what it says, and where it leads. */
type Link = { label: string; url: string }
type Content = { subject: string; paragraphs: string[]; link: Link | null }

/** Writes a mail to the customer of a subscription, as text and as HTML, in their language. */
export function writeMail(
  { id, kind }: SubscriptionMail,
  about: MailSubject,
  language: MailLanguage,
): Mail & { messageId: string } {
  const { customer, merchant } = about
  const { say, code } = language
  const { subject, paragraphs, link } = contents[kind](about, language)
  const ending = merchant.supportEmail ? say('questions', { email: merchant.supportEmail }) : null
  const greeting = customer.name ? say('hello', { name: customer.name }) : say('hello.all')
  const all = [greeting, ...paragraphs]
  const closing = [...(ending ? [ending] : []), merchant.displayName]
  return {
    to: customer.email,
    subject: oneLine(subject),
    text: [...all, ...(link ? [`${link.label}: ${link.url}`] : []), ...closing].join('\n\n'),
    html: htmlOf(all, link, closing, code),
    messageId: `<${id}@steadypay>`,
  }
}

const contents: Record<SubscriptionMailKind, (about: MailSubject, language: MailLanguage) => Content> = {
  trial_ending: (about, language) => {
    const { say } = language
    const { subscription, merchant } = about
    const day = dayOf(language, subscription.trialEnd)
    return {
      subject: say('trial.subject', { merchant: merchant.displayName, day }),
      paragraphs: [say('trial.ends', { plan: planOf(subscription), day }), ...afterTrial(about, language)],
      link: null,
    }
  },
  payment_failed: (about, language) => {
    if (about.subscription.collection === 'invoice') return reminderOf(about, language)
    const { say } = language
    const values = { amount: triedOf(about, language), plan: billedPlanOf(about) }
    return {
      subject: say('failed.subject', { merchant: about.merchant.displayName }),
      paragraphs: [say('failed.what', values), nextTry(about.subscription, language)],
      link: linkOf(about, say('pay.now')),
    }
  },
  receipt: (about, language) => {
    const { say } = language
    const { number, periodStart, periodEnd } = invoiceOf(about)
    const span = { start: language.day(periodStart), end: language.day(periodEnd) }
    return {
      subject: say('receipt.subject', { merchant: about.merchant.displayName }),
      paragraphs: [
        say('receipt.thanks', { amount: paidOf(about, language), plan: billedPlanOf(about) }),
        say('receipt.invoice', { number: number ?? '', ...span }),
      ],
      link: linkOf(about, say('see.invoice')),
    }
  },
  invoice: (about, language) => {
    const { say } = language
    const { dueAt } = invoiceOf(about)
    return {
      subject: say('invoice.subject', { merchant: about.merchant.displayName }),
      paragraphs: [say('invoice.what', billedBy(about, language)), say('invoice.by', { day: language.day(dueAt) })],
      link: linkOf(about, say('pay.now')),
    }
  },
  canceled: ({ subscription, merchant }, language) => {
    const { say } = language
    return {
      subject: say('canceled.subject', { merchant: merchant.displayName }),
      paragraphs: [
        say('canceled.what', { plan: planOf(subscription), day: dayOf(language, subscription.endedAt) }),
        say(subscription.cancellation?.by === 'service' ? 'canceled.unpaid' : 'canceled.nothing'),
      ],
      link: null,
    }
  },
}

/** What happens at the end of a trial, by the plan that applies from then on: nothing is said of one that is free. */
function afterTrial({ subscription, card }: MailSubject, { say, money }: MailLanguage): string[] {
  if (subscription.cancelAtPeriodEnd) return [say('trial.nothing')]
  if (subscription.pauseAtPeriodEnd || isPausedOver(subscription)) return [say('trial.paused')]
  const { amount, interval, intervalCount } = subscription.pendingPlan ?? subscription
  if (isZero(amount)) return []
  const { collection, currency: priced, feePreference } = subscription
  const charged = card ? corridorOf(card.corridor).currency : priced
  const charge = say('trial.charge', {
    amount: money(amount, priced),
    fee: feePreference === 'customer_pays' && collection === 'automatic' ? 'yes' : 'no',
    currency: charged === priced ? 'none' : charged,
  })
  return [say('trial.then', { amount: charge, rhythm: say(`rhythm.${interval}`, { count: intervalCount }) })]
}

/** Whether a trial ends while its subscription is paused. */
const isPausedOver = ({ status, resumesAt, trialEnd }: Subscription): boolean =>
  status === 'paused' && (resumesAt === null || trialEnd === null || resumesAt >= trialEnd)

/** A reminder for a customer who pays invoices themselves: nothing was charged, so no charge has failed. */
function reminderOf(about: MailSubject, language: MailLanguage): Content {
  const { say } = language
  return {
    subject: say('unpaid.subject', { merchant: about.merchant.displayName }),
    paragraphs: [say('unpaid.what', billedBy(about, language)), nextReminder(about.subscription, language)],
    link: linkOf(about, say('pay.now')),
  }
}

function nextReminder(subscription: Subscription, { say, day }: MailLanguage): string {
  const { nextPaymentAttemptAt, dunningEndsAt, status } = subscription
  if (status === 'canceled') return say('unpaid.over')
  if (nextPaymentAttemptAt) return say('unpaid.again', { day: day(nextPaymentAttemptAt) })
  return dunningEndsAt ? say('unpaid.until', { day: day(dunningEndsAt) }) : say('failed.pay')
}

function nextTry(subscription: Subscription, { say, day }: MailLanguage): string {
  const { nextPaymentAttemptAt, dunningEndsAt, status } = subscription
  if (status === 'canceled') return say('failed.over')
  if (nextPaymentAttemptAt) return say('failed.again', { day: day(nextPaymentAttemptAt) })
  return dunningEndsAt ? say('failed.until', { day: day(dunningEndsAt) }) : say('failed.pay')
}

function invoiceOf({ invoice }: MailSubject): Invoice {
  if (!invoice) throw new Error('the mail is about no invoice')
  return invoice
}

const linkOf = (about: MailSubject, label: string): Link => ({
  label,
  url: invoicePageUrl(invoiceOf(about), about.publicUrl),
})

const planOf = ({ lineItems }: Subscription): string => namesOf(lineItems)

/**
 * The plan that the invoice of a mail bills. It is not always that of the subscription: the invoice of the next period
 * has the plan that applies from then on, and an older one the plan of its time.
 */
function billedPlanOf(about: MailSubject): string {
  const { lineItems } = invoiceOf(about)
  const plans = lineItems.filter(({ kind }) => kind === 'plan')
  const rests = lineItems.filter(({ kind }) => kind === 'remaining').map(planOfPart)
  return namesOf(plans) || rests.join(', ') || planOf(about.subscription)
}

function totalOf(about: MailSubject, { money }: MailLanguage): string {
  const { total, currency } = invoiceOf(about)
  return money(total, currency)
}

/** What was paid for an invoice: with the fee where the customer bears it, in the currency in which it was paid. */
const paidOf = (about: MailSubject, language: MailLanguage): string =>
  about.payment ? language.money(about.payment.amountReceived, about.payment.currency) : totalOf(about, language)

/** What was tried to be charged for an invoice, in the currency of its payment. */
const triedOf = (about: MailSubject, language: MailLanguage): string =>
  about.payment ? language.money(about.payment.amount, about.payment.currency) : totalOf(about, language)

/** The insertions of a text about an invoice. */
const billedBy = (about: MailSubject, language: MailLanguage) => ({
  number: invoiceOf(about).number ?? '',
  plan: billedPlanOf(about),
  amount: totalOf(about, language),
})

const dayOf = ({ day }: MailLanguage, moment: Date | null): string => (moment === null ? '' : day(moment))

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ')

const htmlOf = (paragraphs: string[], link: Link | null, closing: string[], code: LanguageCode): string => {
  const lines = (texts: string[]) => texts.map((text) => `<p>${escapeHtml(text)}</p>`)
  const button = link ? [`<p><a href="${escapeHtml(link.url)}">${escapeHtml(link.label)}</a></p>`] : []
  const html = ['<!doctype html>', `<html lang="${code}"><head><meta charset="utf-8"></head><body>`]
  return [...html, ...lines(paragraphs), ...button, ...lines(closing), '</body></html>'].join('\n')
}
