import type { Context } from 'koa'
import type { Static } from 'typebox'
import type { ProductGroup } from '../../schemas/catalogue/product-group.ts'
import type { Product } from '../../schemas/catalogue/product.ts'
import type { Answer } from '../api.ts'
import { qrOf } from '../qr.ts'
import { goTo, pageOf, type Site } from '../site.ts'
import { money } from '../words.ts'
import { isUnread, keyIn, mayDo, newFormKey, noticeIn, readAllowed, refusedForm } from './board-form.ts'
import { idIn, type Listed, pagesOf, queryOf, showUnread } from './dashboard-lists.ts'
import { addResourceFolder } from './dashboard-resources.ts'
import { wordIn } from './list-filter.ts'
import { addPaymentLinkCreation } from './payment-link-creation.ts'
import { addPaymentLinkForm } from './payment-link-form.ts'
import { linkFacts, linkRow, linkState, sessionRow, type ShownLink, type ShownSession } from './payment-link-words.ts'

export const paymentLinksLink = { path: '/payment-links', words: 'Payment links' }

const switched = { on: 'Switched on', off: 'Switched off' }
const activeOf: Record<string, string> = { on: 'true', off: 'false' }

/** `/dashboard/payment-links`: the links with their sales, the form of one, and the switch that ends its sales. */
export function addPaymentLinkPages(site: Site): void {
  const { home, sessions } = site
  const folder = `${home}${paymentLinksLink.path}`

  const list = (ctx: Context, { status }: { status: string }): Promise<Answer<Listed<ShownLink>>> =>
    sessions.call(ctx, 'GET', `/v1/payment-links?${queryOf(ctx, { active: activeOf[status] ?? '' })}`)

  /** What the page of a link shows beside its facts: its address, what it sells by name, and its sessions. */
  async function more(ctx: Context, link: ShownLink, now: number): Promise<Answer<object>> {
    const { payment_link_id: id, url } = link
    const path = `${folder}/${id}`
    const [opened, lines] = await Promise.all([
      sessions.call<Listed<ShownSession>>(ctx, 'GET', `/v1/checkout-sessions?${queryOf(ctx, { payment_link_id: id })}`),
      readSold(site, ctx, link),
    ])
    // A place in the list of its sessions that does not exist leads to its beginning.
    const isMisplaced = !opened.ok && [400, 422].includes(opened.refused.status) && ctx.querystring !== ''
    const none: Listed<ShownSession> = { items: [], pagination: { next_cursor: null, prev_cursor: null } }
    const listed = isMisplaced ? ({ ok: true, body: none } as const) : opened
    if (!listed.ok) return listed
    return {
      ok: true,
      body: {
        path,
        state: linkState(link, now),
        isOn: link.active,
        url,
        qr: qrOf(url),
        lines,
        sessions: listed.body.items.map((session) => sessionRow(session, home)),
        pages: pagesOf(path, listed.body.pagination, {}),
        mayChange: mayDo(site, ctx, 'payments:write'),
        formKey: newFormKey(),
        notice: noticeIn(ctx, notices),
      },
    }
  }

  addPaymentLinkCreation(site, folder)
  addPaymentLinkForm(site, folder)
  addSwitch(site, folder)
  addResourceFolder<ShownLink>(site, {
    link: paymentLinksLink,
    one: 'Payment link',
    collection: '/v1/payment-links',
    templates: { list: 'dashboard/payment-links', one: 'dashboard/payment-link' },
    statuses: switched,
    hasTimeline: false,
    filtersIn: (ctx) => ({ status: wordIn(ctx, 'status', Object.keys(switched)) }),
    list,
    idOf: (link) => link.payment_link_id,
    itemOf: linkRow,
    factsOf: (link) => linkFacts(link, home),
    more: (ctx, link, _, now) => more(ctx, link, now),
  })
}

type Line = { name: string; link: string; about: string }

/** The products that a link sells, by name. A link with a price of its own has none. */
async function readSold({ home, sessions }: Site, ctx: Context, link: ShownLink): Promise<Line[]> {
  const { product_cart: cart, product_group_id: groupId } = link
  if (groupId !== null) {
    const group = await sessions.call<Static<typeof ProductGroup>>(ctx, 'GET', `/v1/product-groups/${groupId}`)
    const name = group.ok ? group.body.name : groupId
    return [{ name, link: `${home}/product-groups/${groupId}`, about: 'The buyer picks one of its products.' }]
  }
  if (!cart) return []
  // One call for all of them. A product that is not among the newest is named by its id.
  const known = await sessions.call<Listed<Static<typeof Product>>>(ctx, 'GET', '/v1/products?limit=100')
  return cart.map(({ product_id: id, quantity, amount }) => {
    const product = known.ok ? known.body.items.find((each) => each.product_id === id) : undefined
    const price = amount === null ? null : product ? money(amount, product.currency) : amount
    const about = [`Quantity ${quantity}`, price && `at ${price}`].filter(Boolean).join(', ')
    return { name: product?.name ?? id, link: `${home}/products/${id}`, about }
  })
}

/** Switches a link off, after a page that says what happens then, and on again. */
function addSwitch(site: Site, folder: string): void {
  const { home, sessions, read, submit, show } = site
  const path = `${folder.slice(home.length)}/:id`
  const pageOfId = (ctx: Context) => `${folder}/${idIn(ctx)}`

  const readToChange = (ctx: Context) =>
    readAllowed<ShownLink>(site, ctx, `/v1/payment-links/${idIn(ctx)}`, 'payments:write')

  async function ask(ctx: Context, tried: { problem?: string | null; status?: number } = {}): Promise<void> {
    const answer = await readToChange(ctx)
    if (!answer.ok) return showUnread(site, ctx, answer.refused)
    if (!answer.body.active) return goTo(ctx, pageOfId(ctx))
    const { name, inactive_message: message } = answer.body
    const { problem = null, status = 200 } = tried
    const data = { isSignedIn: true, at: paymentLinksLink.path, path: pageOfId(ctx), name, message, problem }
    show(ctx, pageOf('dashboard/payment-link-off', 'Switch the link off?', { ...data, formKey: newFormKey() }, status))
  }

  read(`${path}/off`, (ctx) => ask(ctx))
  for (const [step, active] of [
    ['off', false],
    ['on', true],
  ] as const) {
    submit(`${path}/${step}`, async (ctx, form) => {
      const apiPath = `/v1/payment-links/${idIn(ctx)}`
      const answer = await sessions.call<ShownLink>(ctx, 'PATCH', apiPath, { active }, keyIn(form))
      if (answer.ok) return goTo(ctx, `${pageOfId(ctx)}?done=${step}`)
      const { refused } = answer
      if (isUnread(refused) || active) return showUnread(site, ctx, refused)
      await ask(ctx, refusedForm(refused, {}))
    })
  }
}

const notices = {
  created: 'The link is ready. Share its address, or its QR code.',
  saved: 'Saved. The change is for new visits.',
  off: 'The link is off. Nobody can open it to pay any more.',
  on: 'The link is on.',
}
