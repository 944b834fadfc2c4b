import type { AddressInfo } from 'node:net'
import type Router from '@koa/router'
import type { Context } from 'koa'
import { createApi } from './api.ts'
import { addAssets } from './asset.ts'
import { addBrandStyles } from './checkout/brand.ts'
import { addCardFrame } from './checkout/card-frame.ts'
import { addCheckoutPage } from './checkout/checkout.ts'
import { addDashboard } from './dashboard.ts'
import { addDocs } from './docs/routes.ts'
import { addHome } from './home.ts'
import { addOps, type TemporalUi } from './review-desk/routes.ts'
import { addPaymentLinkPage } from './checkout/payment-link.ts'
import { addOnboardingPages } from './platform/onboarding.ts'
import { addInvoicePage } from './subscription/invoice.ts'
import { addPortalPages } from './subscription/portal.ts'
import { addInvitationPages } from './sight/invitation.ts'
import { createRender } from './render.ts'

type Options = {
  /** The address at which this process listens, null before it does. The pages call the API there. */
  address: () => AddressInfo | string | null
  /** Headers that name to the API the buyer for whom a page calls, so that limits count the buyer, not the page. */
  callFor: (ctx: Context) => Record<string, string>
  /** The clock, in ms since the epoch. */
  now: () => Promise<number> | number
  /** The public address of the service. If it is https, cookies are sent over https only. */
  publicUrl: string
  /** The Temporal UI and its namespace, to which the review desk links; null or left out where it is not known. */
  temporalUi?: TemporalUi | null
}

/** The hosted pages, for `createApp`. They use the API over HTTP like any client, and have no other access. */
export const createPages =
  ({ address, callFor, now, publicUrl, temporalUi = null }: Options) =>
  (router: Router): void => {
    const assets = addAssets(router)
    addBrandStyles(router)
    const api = createApi(() => loopbackUrl(address()))
    const means = { api, callFor, now, render: createRender(assets) }
    addHome(router, means)
    addDocs(router, { ...means, publicUrl })
    addCheckoutPage(router, means)
    addCardFrame(router, means.render)
    addPaymentLinkPage(router, means)
    addInvoicePage(router, means)
    addPortalPages(router, { ...means, publicUrl })
    addOnboardingPages(router, { ...means, publicUrl })
    addInvitationPages(router, { ...means, publicUrl })
    addDashboard(router, { ...means, publicUrl })
    addOps(router, { ...means, publicUrl, temporalUi })
  }

/** A server that listens on every address is called on the loopback address. */
function loopbackUrl(address: AddressInfo | string | null): string {
  if (address === null || typeof address === 'string') throw new Error('the pages need a server that listens on a port')
  const host = { '0.0.0.0': '127.0.0.1', '::': '::1' }[address.address] ?? address.address
  return `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`
}
