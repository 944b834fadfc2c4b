import type Router from '@koa/router'
import type { Static } from 'typebox'
import type { Context } from 'koa'
import { isZero, negate, subtract } from '../../domain/money.ts'
import type { OpenedCheckout } from '../../schemas/checkout/payment-link.ts'
import type { PublicInvoice } from '../../schemas/subscription/public-invoice.ts'
import type { Api } from '../api.ts'
import { brandPath } from '../checkout/brand.ts'
import type { Page, Render } from '../render.ts'
import { missingPage, unreadPage } from '../unread-page.ts'
import { day, money } from '../words.ts'

type Means = { api: Api; render: Render; callFor: (ctx: Context) => Record<string, string> }
type Invoice = Static<typeof PublicInvoice>
type Opened = Static<typeof OpenedCheckout>

/**
 * The page of an invoice: `GET /invoice/{key}` shows it, its form opens the checkout session that pays it, and
 * `/invoice/{key}/pdf` is its PDF. The key is a secret of whoever has the link, so no other site learns the address.
 */
export function addInvoicePage(router: Router, { api, render, callFor }: Means): void {
  const visit = (ctx: Context) => {
    const { key } = ctx['params'] as { key: string }
    if (!/^[\w-]{32}$/.test(key)) return null
    const call = { secret: null, headers: { ...callFor(ctx), 'x-request-id': String(ctx.state['requestId']) } }
    return { key, path: `/v1/invoices/${key}`, call }
  }

  router.get('/invoice/:key', async (ctx) => {
    const visited = visit(ctx)
    if (!visited) return render(ctx, missingPage())
    const read = await api.call<Invoice>('GET', `${visited.path}/public`, visited.call)
    render(ctx, read.ok ? invoicePage(read.body, visited.key) : unreadPage(read.refused))
  })

  router.post('/invoice/:key', async (ctx) => {
    const visited = visit(ctx)
    if (!visited) return render(ctx, missingPage())
    const opened = await api.call<Opened>('POST', `${visited.path}/pay`, { ...visited.call, body: {} })
    if (opened.ok) return goTo(ctx, `/checkout/${opened.body.client_secret}`)
    const read = await api.call<Invoice>('GET', `${visited.path}/public`, visited.call)
    if (opened.refused.code !== 'CONFLICT' || !read.ok) return render(ctx, unreadPage(opened.refused))
    render(ctx, invoicePage(read.body, visited.key, { isRefused: true }))
  })

  router.get('/invoice/:key/pdf', async (ctx) => {
    const visited = visit(ctx)
    if (!visited) return render(ctx, missingPage())
    const read = await api.download(`${visited.path}/public/pdf`, visited.call)
    if (!read.ok) return render(ctx, unreadPage(read.refused))
    ctx.set({
      'Cache-Control': 'no-store',
      'Content-Disposition': read.body.disposition,
      'Referrer-Policy': 'no-referrer',
      'X-Robots-Tag': 'noindex, nofollow',
    })
    ctx.type = 'application/pdf'
    ctx.body = read.body.bytes
  })
}

function goTo(ctx: Context, path: string): void {
  ctx.status = 303
  ctx.set({ Location: path, 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' })
}

/** How an invoice stands, in the words of the page. */
const standings: Record<Invoice['status'], (invoice: Invoice) => string> = {
  draft: () => '',
  open: ({ due_at: due }) => `Due by ${day(due)}`,
  uncollectible: ({ can_be_paid: mayPay }) => (mayPay ? 'Not paid yet' : 'No longer due'),
  paid: ({ paid_at: paidAt }) => (paidAt ? `Paid on ${day(paidAt)}` : 'Paid'),
  void: () => 'Void: nothing is to be paid',
}

type Shown = { isRefused?: boolean }

function invoicePage(invoice: Invoice, key: string, { isRefused = false }: Shown = {}): Page {
  const { merchant_name: merchant, number, status, environment, currency } = invoice
  const path = `/invoice/${key}`
  return {
    template: 'invoice',
    status: isRefused ? 409 : 200,
    title: `Invoice ${number} from ${merchant}`,
    data: {
      session: null,
      site: true,
      invoice,
      path,
      isTest: environment === 'sandbox',
      brand: brandPath(invoice.merchant.accent_color),
      logo: invoice.merchant.logo_url && new URL(invoice.merchant.logo_url, 'http://localhost').pathname,
      standing: standings[status](invoice),
      period: `${day(invoice.period_start)} to ${day(invoice.period_end)}`,
      due: money(invoice.amount_due, currency),
      lines: linesOf(invoice),
      sums: sumsOf(invoice),
      problem: isRefused ? 'This invoice cannot be paid at the moment. You have not been charged.' : null,
    },
  }
}

/** The lines of the table; credit from before is deducted below it. */
const linesOf = ({ line_items: lines, currency }: Invoice) =>
  lines
    .filter(({ kind, line_total: total }) => !(kind === 'credit' && total.startsWith('-')))
    .map((line) => ({
      name: line.product_name,
      each: line.quantity > 1 ? `${line.quantity} × ${signed(line.unit_amount, currency)}` : null,
      period: line.period_start && line.period_end && `${day(line.period_start)} to ${day(line.period_end)}`,
      total: signed(line.line_total, currency),
    }))

function sumsOf({ subtotal, total, amount_paid: paid, currency }: Invoice) {
  const credit = subtract(total, subtotal)
  return [
    ...(isZero(credit) ? [] : [{ label: 'Subtotal', value: money(subtotal, currency) }]),
    ...(isZero(credit) ? [] : [{ label: 'Credit', value: signed(credit, currency) }]),
    { label: 'Total', value: money(total, currency) },
    ...(isZero(paid) ? [] : [{ label: 'Paid', value: money(paid, currency) }]),
  ]
}

/** An amount that may be below zero, with its minus before the currency. */
const signed = (amount: string, currency: string): string =>
  amount.startsWith('-') ? `−${money(negate(amount), currency)}` : money(amount, currency)
