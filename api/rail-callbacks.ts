import type Router from '@koa/router'
import type { Context } from 'koa'
import { askingAbout, signalNetworkAnswered, signalRailAnswered } from '../commands/signal-rail-answered.ts'
import { takeUpNotice } from '../commands/take-up-notice.ts'
import { CardSetup } from '../db/checkout/card-setup.ts'
import { Payment } from '../db/checkout/payment.ts'
import { type EntityManager, inTransaction } from '../db/core/database.ts'
import { Dispute } from '../db/dispute/dispute.ts'
import { isOneOf } from '../domain/narrow.ts'
import { type ProviderName, providerNames } from '../domain/rail-provider.ts'
import { invalid, Refusal } from '../domain/refusal.ts'
import type { RailNews } from '../rails/rail-news.ts'
import { type CountCall, callsFromAddress } from './http/count-calls.ts'
import { addressOf } from './http/caller-address.ts'
import { readBytes } from './http/read-body.ts'
import type { Services } from './http/services.ts'

/**
 * The largest callback that is read. Most have a few kilobytes, but a dispute of Stripe's holds its evidence, which has
 * up to 150,000 characters.
 */
const bytesMax = 1024 * 1024
/** Whoever sends them: nobody has signed them yet while they arrive. */
const sender = 'rail callbacks'

const signedBy: Record<ProviderName, string> = { stripe: 'Stripe-Signature', paystack: 'x-paystack-signature' }

/**
 * `POST /rails/{provider}/callbacks`: where the providers of live rails send their news. The received bytes are
 * verified before anything is read from them. What a callback says is not believed: it only has the process that it
 * concerns ask its rail. So a callback that comes twice, late or in another order does no more than cause a question.
 * It is answered with 200 once the signal to the process is committed. A provider that gets no such answer sends the
 * callback again.
 */
export function addRailCallbacks(router: Router, services: Services, count: CountCall): void {
  const { providers, database, clock, config, logger } = services

  /** Whom a callback concerns. A callback that no provider has signed counts against its sender and is refused. */
  async function readCallback(ctx: Context, now: number): Promise<RailNews[]> {
    const { provider } = ctx['params'] as { provider: string }
    const header = (name: string) => ctx.get(name) || undefined
    let refusal = new Refusal('NOT_FOUND', 'no such provider is connected')
    if (isOneOf(providerNames, provider)) {
      const bytes = await readBytes(ctx.req, bytesMax, sender)
      const news = await providers.readCallback(provider, { bytes, header, now })
      if (news === 'forged')
        refusal = invalid(signedBy[provider], 'does not sign this body with a known secret, or is too old')
      else if (news) return news
    }
    await count(ctx, callsFromAddress(addressOf(ctx, config.trustedProxyHops)), now)
    throw refusal
  }

  router.post('/rails/:provider/callbacks', async (ctx) => {
    const now = await clock.now()
    const received = await readCallback(ctx, now)
    const signalled = await inTransaction(database, async (em) => {
      let known = 0
      for (const news of received) if (await signalConcerned(em, news, now)) known += 1
      return known
    })
    const about = received.map((news) => news.about)
    logger.info({ requestId: ctx.state['requestId'], about, signalled }, 'callback')
    ctx.body = { received: true }
  })
}

const environment = 'live'

/**
 * Signals the process of the live row that the news is about, so that it asks its rail. The signal is committed with
 * the running transaction. False where there is no such row.
 */
async function signalConcerned(em: EntityManager, news: RailNews, at: number): Promise<boolean> {
  if (news.about === 'payment') {
    const payment = await em.findOne(Payment, { id: news.id, environment })
    return payment !== null && (await signalRailAnswered(em, askingAbout(payment), environment, at))
  }
  if (news.about === 'setup') {
    const setup = await em.findOne(CardSetup, { id: news.id, environment })
    if (!setup) return false
    const asking = { process: 'checkout', resourceId: setup.checkoutId, attemptId: setup.id } as const
    return signalRailAnswered(em, asking, environment, at)
  }
  if (news.about === 'dispute') {
    const { paymentId, networkId } = news
    const dispute = await em.findOne(Dispute, { paymentId, networkId, environment })
    if (dispute) await signalNetworkAnswered(em, dispute, at)
    return dispute !== null
  }
  if (news.about === 'virtual_account') return takeUpNotice(em, news, at)
  return signalRailAnswered(em, { process: news.about, resourceId: news.id }, environment, at)
}
