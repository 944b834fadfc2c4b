import type { Customer } from '../../db/customer.ts'
import type { Invoice } from '../../db/subscription/invoice.ts'
import type { SubscriptionMail } from '../../db/subscription/mail.ts'
import type { Subscription } from '../../db/subscription/subscription.ts'
import type { Mail } from '../../domain/mail.ts'
import { format } from '../../domain/money.ts'
import type { AccountSettings } from '../../domain/platform/account-settings.ts'
import type { SubscriptionMailKind } from '../../domain/subscription/mail.ts'
import { invoicePageUrl } from '../../schemas/subscription/invoice.ts'

/** What a mail is about. `invoice` is null where it is about the subscription itself. */
export type MailSubject = {
  subscription: Subscription
  customer: Customer
  invoice: Invoice | null
  merchant: AccountSettings
  publicUrl: string
}

/** A link of a mail: what it says, and where it leads. */
type Link = { label: string; url: string }
type Content = { subject: string; paragraphs: string[]; link: Link | null }

/** Writes a mail to the customer of a subscription, as text and as HTML. */
export function writeMail({ id, kind }: SubscriptionMail, about: MailSubject): Mail & { messageId: string } {
  const { customer, merchant } = about
  const { subject, paragraphs, link } = contents[kind](about)
  const ending = merchant.supportEmail ? `Questions? Write to ${merchant.supportEmail}.` : null
  const all = [greeting(customer), ...paragraphs]
  const closing = [...(ending ? [ending] : []), merchant.displayName]
  return {
    to: customer.email,
    subject: oneLine(subject),
    text: [...all, ...(link ? [`${link.label}: ${link.url}`] : []), ...closing].join('\n\n'),
    html: htmlOf(all, link, closing),
    messageId: `<${id}@steadypay>`,
  }
}

const contents: Record<SubscriptionMailKind, (about: MailSubject) => Content> = {
  trial_ending: ({ subscription, merchant }) => ({
    subject: `Your trial at ${merchant.displayName} ends on ${dayOf(subscription.trialEnd)}`,
    paragraphs: [
      `Your trial of ${planOf(subscription)} ends on ${dayOf(subscription.trialEnd)}.`,
      subscription.cancelAtPeriodEnd
        ? 'Nothing will be charged, because the subscription ends with it.'
        : `Then ${sumOf(subscription)} is charged ${everyOf(subscription)}, unless you cancel before.`,
    ],
    link: null,
  }),
  payment_failed: (about) => ({
    subject: `Your payment to ${about.merchant.displayName} failed`,
    paragraphs: [
      `We could not collect ${sumOf(invoiceOf(about))} for ${planOf(about.subscription)}.`,
      nextTry(about.subscription),
    ],
    link: { label: 'Pay now', url: invoicePageUrl(invoiceOf(about), about.publicUrl) },
  }),
  receipt: (about) => ({
    subject: `Your receipt from ${about.merchant.displayName}`,
    paragraphs: [
      `Thank you for your payment of ${sumOf(invoiceOf(about))} for ${planOf(about.subscription)}.`,
      `It is invoice ${invoiceOf(about).number ?? ''}, ${spanOf(invoiceOf(about))}.`,
    ],
    link: { label: 'See the invoice', url: invoicePageUrl(invoiceOf(about), about.publicUrl) },
  }),
  invoice: (about) => ({
    subject: `Your invoice from ${about.merchant.displayName}`,
    paragraphs: [
      `Your invoice ${invoiceOf(about).number ?? ''} for ${planOf(about.subscription)} is ${sumOf(invoiceOf(about))}.`,
      `Please pay it by ${dayOf(invoiceOf(about).dueAt)}.`,
    ],
    link: { label: 'Pay now', url: invoicePageUrl(invoiceOf(about), about.publicUrl) },
  }),
  canceled: ({ subscription, merchant }) => ({
    subject: `Your subscription at ${merchant.displayName} has ended`,
    paragraphs: [
      `Your subscription to ${planOf(subscription)} ended on ${dayOf(subscription.endedAt)}.`,
      subscription.cancellation?.by === 'service'
        ? 'It ended because it could not be paid. Nothing more will be charged.'
        : 'Nothing more will be charged.',
    ],
    link: null,
  }),
}

function nextTry({ nextPaymentAttemptAt, dunningEndsAt, status }: Subscription): string {
  if (status === 'canceled') return 'We will not try again, and the subscription has ended.'
  if (nextPaymentAttemptAt) return `We will try again on ${dayOf(nextPaymentAttemptAt)}. You can also pay now.`
  return dunningEndsAt
    ? `Your card cannot be charged any more. Please pay by ${dayOf(dunningEndsAt)}, or the subscription ends.`
    : 'Please pay now.'
}

function invoiceOf({ invoice }: MailSubject): Invoice {
  if (!invoice) throw new Error('the mail is about no invoice')
  return invoice
}

const greeting = ({ name }: Customer): string => (name ? `Hello ${name},` : 'Hello,')

const planOf = ({ lineItems }: Subscription): string =>
  lineItems.map(({ product_name: name, quantity }) => (quantity === 1 ? name : `${quantity} × ${name}`)).join(', ')

type Summed = Pick<Subscription, 'currency'> & ({ amount: string } | { total: string })

const sumOf = (of: Summed): string => `${format('total' in of ? of.total : of.amount, of.currency)} ${of.currency}`

const everyOf = ({ interval, intervalCount }: Subscription): string =>
  intervalCount === 1 ? `each ${interval}` : `every ${intervalCount} ${interval}s`

/** A day in plain words, in UTC: nobody mistakes the month for the day. */
const dayOf = (moment: Date | null): string =>
  moment === null
    ? ''
    : moment.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })

const spanOf = ({ periodStart, periodEnd }: Invoice): string =>
  `for the time from ${dayOf(periodStart)} to ${dayOf(periodEnd)}`

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ')

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (letter) => escapes[letter] ?? letter)

const htmlOf = (paragraphs: string[], link: Link | null, closing: string[]): string => {
  const lines = (texts: string[]) => texts.map((text) => `<p>${escapeHtml(text)}</p>`)
  const button = link ? [`<p><a href="${escapeHtml(link.url)}">${escapeHtml(link.label)}</a></p>`] : []
  return ['<!doctype html><html lang="en"><body>', ...lines(paragraphs), ...button, ...lines(closing), '</body></html>']
    .join('\n')
    .trim()
}
