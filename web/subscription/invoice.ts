import type Router from '@koa/router'
import type { Static } from 'typebox'
import type { Context } from 'koa'
import { isZero, subtract } from '../../domain/money.ts'
import type { OpenedCheckout } from '../../schemas/checkout/payment-link.ts'
import type { PublicInvoice } from '../../schemas/subscription/public-invoice.ts'
import type { Api } from '../api.ts'
import { brandOf } from '../checkout/brand.ts'
import { type Language, readerOf } from '../language.ts'
import { withoutLinkEnd } from '../link-end.ts'
import type { Page, Render } from '../render.ts'
import { missingPage, unreadPage } from '../unread-page.ts'
import { lineName, signedMoney } from './invoice-words.ts'

type Means = { api: Api; render: Render; callFor: (ctx: Context) => Record<string, string> }
type Invoice = Static<typeof PublicInvoice>
type Opened = Static<typeof OpenedCheckout>

/**
 * The page of an invoice: `GET /invoice/{key}` shows it, its form opens the checkout session that pays it, and
 * `/invoice/{key}/pdf` is its PDF. The key is a secret of whoever has the link, so no other site learns the address.
 * The page is in the language of the sale if that is one of ours, else in that of the browser.
 */
export function addInvoicePage(router: Router, { api, render, callFor }: Means): void {
  const visit = (ctx: Context) => {
    const key = withoutLinkEnd((ctx['params'] as { key: string }).key)
    if (!/^[\w-]{32}$/.test(key)) return null
    const call = { secret: null, headers: { ...callFor(ctx), 'x-request-id': String(ctx.state['requestId']) } }
    return { key, path: `/v1/invoices/${key}`, call }
  }
  const languageFor = (ctx: Context, invoice: Invoice | null): Language =>
    readerOf(ctx, invoice?.locale ?? null).language

  router.get('/invoice/:key', async (ctx) => {
    const visited = visit(ctx)
    if (!visited) return render(ctx, missingPage(languageFor(ctx, null)))
    const read = await api.call<Invoice>('GET', `${visited.path}/public`, visited.call)
    if (!read.ok) return render(ctx, unreadPage(read.refused, languageFor(ctx, null)))
    render(ctx, invoicePage(read.body, visited.key, { language: languageFor(ctx, read.body) }))
  })

  router.post('/invoice/:key', async (ctx) => {
    const visited = visit(ctx)
    if (!visited) return render(ctx, missingPage(languageFor(ctx, null)))
    const opened = await api.call<Opened>('POST', `${visited.path}/pay`, { ...visited.call, body: {} })
    if (opened.ok) return goTo(ctx, `/checkout/${opened.body.client_secret}`)
    const read = await api.call<Invoice>('GET', `${visited.path}/public`, visited.call)
    const language = languageFor(ctx, read.ok ? read.body : null)
    if (opened.refused.code !== 'CONFLICT' || !read.ok)
      return render(ctx, unreadPage(opened.refused, language, { path: `/invoice/${visited.key}`, typed: {} }))
    render(ctx, invoicePage(read.body, visited.key, { language, isRefused: true }))
  })

  router.get('/invoice/:key/pdf', async (ctx) => {
    const visited = visit(ctx)
    if (!visited) return render(ctx, missingPage(languageFor(ctx, null)))
    // The rule of the page: the language of the browser counts where the sale names none.
    const { code } = languageFor(ctx, null)
    const read = await api.download(`${visited.path}/public/pdf?locale=${code}`, visited.call)
    if (!read.ok) return render(ctx, unreadPage(read.refused, languageFor(ctx, null)))
    ctx.set({
      'Cache-Control': 'no-store',
      'Content-Disposition': read.body.disposition,
      'Referrer-Policy': 'no-referrer',
      'X-Robots-Tag': 'noindex, nofollow',
    })
    ctx.vary('Accept-Language')
    ctx.type = 'application/pdf'
    ctx.body = read.body.bytes
  })
}

function goTo(ctx: Context, path: string): void {
  ctx.status = 303
  ctx.set({ Location: path, 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' })
}

/** How an invoice stands, in the words of the page. */
const standings: Record<Invoice['status'], (invoice: Invoice, language: Language) => string> = {
  draft: () => '',
  open: ({ due_at: due }, { say, day }) => say('invoice.due', { day: day(due) }),
  uncollectible: ({ can_be_paid: mayPay }, { say }) => say(mayPay ? 'invoice.unpaid' : 'invoice.over'),
  paid: ({ paid_at: at }, { say, day }) => (at ? say('invoice.paid.on', { day: day(at) }) : say('invoice.paid')),
  void: (_invoice, { say }) => say('invoice.void'),
}

type Shown = { language: Language; isRefused?: boolean }

function invoicePage(invoice: Invoice, key: string, { language, isRefused = false }: Shown): Page {
  const { merchant_name: merchant, status, environment, currency } = invoice
  const { say, money, codedMoney } = language
  const number = invoice.number ?? ''
  return {
    template: 'invoice',
    status: isRefused ? 409 : 200,
    language,
    title: say('invoice.title', { number, merchant }),
    data: {
      session: null,
      site: true,
      invoice,
      path: `/invoice/${key}`,
      isTest: environment === 'sandbox',
      ...brandOf(invoice.merchant),
      heading: say('invoice.heading', { number }),
      standing: standings[status](invoice, language),
      period: spanOf(language, invoice.period_start, invoice.period_end),
      due: codedMoney(invoice.amount_due, currency),
      pay: say('button.pay', { amount: money(invoice.amount_due, currency) }),
      lines: linesOf(invoice, language),
      sums: sumsOf(invoice, language),
      // Whoever has paid it meanwhile was charged.
      problem: isRefused && status !== 'paid' ? say('invoice.refused') : null,
    },
  }
}

const spanOf = ({ say, day }: Language, start: string, end: string): string =>
  say('invoice.span', { start: day(start), end: day(end) })

/** The lines of the table; credit from before is deducted below it. */
const linesOf = ({ line_items: lines, currency }: Invoice, language: Language) =>
  lines
    .filter(({ kind, line_total: total }) => !(kind === 'credit' && total.startsWith('-')))
    .map((line) => ({
      name: lineName(language, line),
      each: line.quantity > 1 ? `${line.quantity} × ${signedMoney(language, line.unit_amount, currency)}` : null,
      period: line.period_start && line.period_end && spanOf(language, line.period_start, line.period_end),
      total: signedMoney(language, line.line_total, currency),
    }))

function sumsOf({ subtotal, total, amount_paid: paid, currency }: Invoice, language: Language) {
  const { say, money, codedMoney } = language
  const credit = subtract(total, subtotal)
  const credited = [
    { label: say('subtotal'), value: money(subtotal, currency) },
    { label: say('invoice.credit'), value: signedMoney(language, credit, currency) },
  ]
  return [
    ...(isZero(credit) ? [] : credited),
    { label: say('total'), value: codedMoney(total, currency), isTotal: true },
    ...(isZero(paid) ? [] : [{ label: say('invoice.paid'), value: money(paid, currency) }]),
  ]
}
