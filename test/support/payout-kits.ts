import { SimulatedPayout } from '../../rails/sandbox/payout-book.ts'
import { failingSandbox } from './failing-sandbox.ts'
import { addLiveMerchant } from './live.ts'
import type { useLiveStack } from './live-providers.ts'
import type { Merchant } from './merchant.ts'
import { addDestination, lastFour } from './payout.ts'
import { createNews } from './provider-news.ts'
import { endPayout, sendRailNews } from './rail-books.ts'

type Live = Awaited<ReturnType<typeof useLiveStack>>
type PayoutEnd = 'completed' | 'failed' | 'returned'

/** A rail that pays out, with the banks behind it. */
export type PayoutKit = {
  name: string
  merchant: Merchant
  tenant: { accountId: string; environment: 'sandbox' | 'live' }
  /** An account in naira, whose bank leaves payouts open. */
  destination: string
  /** The bank decides about a payout. Nobody tells the service of it. */
  end(payoutId: string, end: PayoutEnd): Promise<void>
  /** The rail tells the service that there is news about a payout. */
  tell(payoutId: string, end: PayoutEnd): Promise<void>
  isSent(payoutId: string): Promise<boolean>
  /** How often the rail has moved the money of a payout. */
  moved(payoutId: string): Promise<number>
  /** The next order is carried out, and its answer is lost. */
  loseAnswer(): void
  /** While it is away the rail answers nothing. */
  setAway(isAway: boolean): void
}

/** The rails that pay out naira: the sandbox, and Paystack. Stripe pays nothing out. */
export async function createPayoutKits(live: Live): Promise<PayoutKit[]> {
  const { accountId, merchant } = await live.api.addMerchant()
  const added = await addLiveMerchant(live.stack, live.api)
  const sandbox = { merchant, tenant: { accountId, environment: 'sandbox' as const } }
  return [await createSandbox(live, sandbox), await createPaystack(live, added)]
}

type Who = Pick<PayoutKit, 'merchant' | 'tenant'>

async function createSandbox({ stack }: Live, { merchant, tenant }: Who): Promise<PayoutKit> {
  const faults = failingSandbox(stack)
  const find = (payoutId: string) => stack.database.orm.em.fork().findOne(SimulatedPayout, { payoutId })
  return {
    name: 'the sandbox',
    merchant,
    tenant,
    destination: await addDestination(stack, tenant, { ends: lastFour.neverAnswers }),
    end: (payoutId, end) => endPayout(stack, payoutId, end),
    async tell(payoutId) {
      await sendRailNews(stack, 'payout', payoutId)
      await stack.dispatched()
    },
    isSent: async (payoutId) => (await find(payoutId)) !== null,
    moved: async (payoutId) => (await find(payoutId))?.executions ?? 0,
    loseAnswer: () => faults.loseAnswer('payOut'),
    setAway: faults.setAway,
  }
}

async function createPaystack(live: Live, { merchant, tenant }: Who): Promise<PayoutKit> {
  const { stack, paystack } = live
  const { fromPaystack } = createNews(live)
  const theirs = { completed: 'success', failed: 'failed', returned: 'reversed' } as const
  const find = (payoutId: string) => paystack.book.transfers.get(payoutId)
  return {
    name: 'Paystack',
    merchant,
    tenant,
    destination: await addDestination(stack, tenant),
    end: async (payoutId, end) => paystack.settle(payoutId, theirs[end]),
    tell: (reference, end) =>
      fromPaystack(`transfer.${theirs[end]}`, {
        reference,
        status: theirs[end],
        domain: 'live',
        transfer_code: find(reference)?.transfer_code,
      }),
    isSent: async (payoutId) => find(payoutId) !== undefined,
    moved: async (payoutId) => find(payoutId)?.executions ?? 0,
    loseAnswer: () => paystack.fails('POST /transfer', 'lost', 2), // the recipient, and the transfer
    setAway: paystack.setAway,
  }
}
