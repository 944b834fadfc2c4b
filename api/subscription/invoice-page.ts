import { LockMode } from '@mikro-orm/core'
import Type from 'typebox'
import { Checkout } from '../../db/checkout/checkout.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { computeHmac } from '../../db/core/hmac.ts'
import { readRow } from '../../db/core/prepared-statement.ts'
import { timeOf } from '../../db/core/test-clock.ts'
import { Customer } from '../../db/customer/customer.ts'
import { readSettings } from '../../db/platform/account-settings.ts'
import { Invoice } from '../../db/subscription/invoice.ts'
import { localeOfSale } from '../../db/subscription/sale-locale.ts'
import { Subscription } from '../../db/subscription/subscription.ts'
import { attemptsMax } from '../../domain/checkout/checkout.ts'
import { format } from '../../domain/money.ts'
import { isTransient, Refusal } from '../../domain/refusal.ts'
import { mayBePaid } from '../../domain/subscription/invoice.ts'
import { OpenedCheckout } from '../../schemas/checkout/payment-link.ts'
import { iso } from '../../schemas/common.ts'
import { PdfFile, readerQuery } from '../../schemas/file.ts'
import { invoicePageUrl } from '../../schemas/subscription/invoice.ts'
import { presentPublicInvoice, PublicInvoice } from '../../schemas/subscription/public-invoice.ts'
import { addressesOf, clientSecretOf, newSession, openSession } from '../checkout/create.ts'
import { waitingOutside } from '../checkout/quotes.ts'
import { readSale } from '../checkout/sale.ts'
import { ExistingResource, operation } from '../http/operation.ts'
import { isTokenOf } from '../http/secret-token.ts'
import type { Services } from '../http/services.ts'
import { answerWithPdf } from './invoice-pdf.ts'

// Whoever has the link of an invoice may see and pay it: the customer may have passed it on to whoever pays.
const onPage = {
  tag: 'Invoices',
  auth: ['none'],
  scope: null,
  params: Type.Object({
    page_key: Type.String({ maxLength: 64, description: 'The last part of the invoice’s `hosted_invoice_url`.' }),
  }),
} as const

const missing = () => new Refusal('NOT_FOUND', 'no such invoice')

async function findByKey(em: EntityManager, pageKey: string): Promise<Readonly<Invoice>> {
  const invoice = await readRow(em, Invoice, { pageKey })
  if (!invoice || invoice.status === 'draft') throw missing()
  return invoice
}

export const getPublicInvoice = operation({
  ...onPage,
  method: 'get',
  path: '/v1/invoices/{page_key}/public',
  summary: 'Read what a customer may see of an invoice',
  returns: [200, PublicInvoice],
  refuses: ['NOT_FOUND'],

  async handle({ params, em, services: { config } }) {
    const invoice = await findByKey(em, params.page_key)
    const merchant = await readSettings(em, invoice)
    const subscription = await em.findOneOrFail(Subscription, { id: invoice.subscriptionId })
    const canBePaid = mayBePaid(invoice, subscription, merchant.latePaymentPolicy)
    const locale = await localeOfSale(em, subscription)
    return presentPublicInvoice(invoice, { merchant, canBePaid, publicUrl: config.publicUrl, locale })
  },
})

/** How often a minute strangers may have the same invoice drawn: drawing takes time. */
const drawingsPerMinute = 20

export const getPublicInvoicePdf = operation({
  ...onPage,
  method: 'get',
  path: '/v1/invoices/{page_key}/public/pdf',
  summary: 'Read an invoice as a PDF, by the key of its page',
  query: readerQuery,
  returns: [200, PdfFile],
  returnsFile: 'application/pdf',
  refuses: ['NOT_FOUND'],

  async handle({ params, query, em, count }) {
    const invoice = await findByKey(em, params.page_key)
    await count(`invoice-pdf/${invoice.id}`, drawingsPerMinute)
    return answerWithPdf(em, invoice, query)
  },
})

export const payPublicInvoice = operation({
  ...onPage,
  method: 'post',
  path: '/v1/invoices/{page_key}/pay',
  summary: 'Open the checkout session in which an invoice is paid, or the one that is open already',
  returns: [201, OpenedCheckout],
  findsExisting: true,
  refuses: ['NOT_FOUND', 'CONFLICT', 'BAD_GATEWAY'],

  async handle({ params, em, now, services, askOutside, assertMaySell }) {
    const invoice = await lockByKey(em, params.page_key)
    assertMaySell(invoice.accountId)
    const at = await timeOf(em, invoice, now)
    const subscription = await em.findOneOrFail(Subscription, { id: invoice.subscriptionId })
    const { latePaymentPolicy } = await readSettings(em, invoice)
    if (!mayBePaid(invoice, subscription, latePaymentPolicy))
      throw new Refusal('CONFLICT', `the invoice is ${invoice.status} and cannot be paid`)
    const open = await findOpenSession(em, invoice, at, services)
    if (open) return new ExistingResource(presentOpened(open.checkout, open.secret, services))
    const context = { em, services: waitingOutside({ services, askOutside }) }
    const session = await sessionOf(context, invoice, subscription, at)
    const { checkout, secret } = openSession(em, session, at, (id) => secretPartOf(id, services))
    return presentOpened(checkout, secret, services)
  },
})

/** Locked, so that two visits at once open one session. */
async function lockByKey(em: EntityManager, pageKey: string): Promise<Invoice> {
  const invoice = await em.findOne(Invoice, { pageKey }, { lockMode: LockMode.PESSIMISTIC_WRITE })
  if (!invoice || invoice.status === 'draft') throw missing()
  return invoice
}

/** The secret of an invoice's session is computed, so that a second visit finds it: only its hash is stored. */
const secretPartOf = (checkoutId: string, { config }: Services): string =>
  computeHmac(config.keyPepper, 'invoice session', checkoutId).slice(0, 32)

/**
 * The session of an invoice in which it is being paid, or can still be paid, with its secret. One whose payment is at
 * its rail counts beyond its time and its attempts: in another session the customer would pay a second time.
 */
async function findOpenSession(em: EntityManager, { id, total }: Invoice, at: number, services: Services) {
  const takesAttempts = { expiresAt: { $gt: new Date(at) }, attempts: { $lt: attemptsMax } }
  const isPayable = [takesAttempts, { paymentStatus: 'processing' as const }]
  const where = { invoiceId: id, status: 'open' as const, amount: total, $or: isPayable }
  const open = await em.find(Checkout, where, { orderBy: { createdAt: 'desc', id: 'desc' } })
  const checkout = open.find(({ paymentStatus }) => paymentStatus === 'processing') ?? open[0]
  if (!checkout) return null
  const secret = clientSecretOf(checkout.id, secretPartOf(checkout.id, services))
  return isTokenOf(checkout.clientSecretHash, secret) ? { checkout, secret } : null
}

const presentOpened = (checkout: Checkout, secret: string, services: Services) => ({
  checkout_id: checkout.id,
  ...addressesOf(secret, services),
  expires_at: iso(checkout.expiresAt),
})

type Context = { em: EntityManager; services: Services }

/** The columns of a new session that pays an invoice for its customer. */
async function sessionOf({ em, services }: Context, invoice: Invoice, subscription: Subscription, at: number) {
  const { id: invoiceId, currency, total, number, customerId, metadata, clockId = null } = invoice
  const customer = await em.findOneOrFail(Customer, { id: customerId })
  const { email, name, phoneNumber } = customer
  const page = invoicePageUrl(invoice, services.config.publicUrl)
  const settings = { description: `Invoice ${number ?? ''}`, success_url: page, cancel_url: page, metadata }
  const locale = await localeOfSale(em, subscription)
  return {
    ...newSession({ ...settings, ...(locale && { locale }) }, invoice, at),
    ...(await saleOf({ em, services }, invoice, { amount: format(total, currency), currency })),
    sourceType: 'INVOICE',
    invoiceId,
    clockId,
    subscriptionId: subscription.id,
    feePreference: subscription.feePreference,
    customerId,
    customerDetails: { email, name, phone_number: phoneNumber },
  }
}

/**
 * What is paid, in the ways that the account offers. If something is unavailable, the answer says so. The payer is a
 * stranger, so any other refusal gives no details.
 */
async function saleOf({ em, services }: Context, invoice: Invoice, sold: { amount: string; currency: string }) {
  try {
    return await readSale(em, sold, invoice, services)
  } catch (error) {
    if (!(error instanceof Refusal) || isTransient(error.code)) throw error
    throw new Refusal('CONFLICT', 'the invoice cannot be paid at the moment')
  }
}
