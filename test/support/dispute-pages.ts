import type { Page } from 'playwright-core'
import { disputing, type ShownDispute } from './dispute.ts'
import { cards, type Merchant, sale } from './merchant.ts'
import { heading, type useDesk } from './review-desk.ts'
import { addStaff } from './staff.ts'
import { until } from './until.ts'

/** What tests of the pages of disputes ask of a review desk. */
export function withDisputePages({ stack, pages, logins }: Awaited<ReturnType<typeof useDesk>>) {
  const disputes = disputing(stack.merchant)
  const folder = `${pages.base}/dashboard/disputes`
  return {
    disputes,
    folder,
    owner: () => logins.addPerson({ role: 'owner' }),
    /** A dispute of a card payment by a buyer with this name. */
    async raise(
      body: object = {},
      name = 'Ada Buyer',
      { merchant = stack.merchant, amount = '25.00' }: { merchant?: Merchant; amount?: string } = {},
    ): Promise<ShownDispute> {
      const session = await merchant.createCheckout({ ...sale, amount, customer: { email: 'ada@example.com', name } })
      const paid = await merchant.payByCard(session, cards.success, 'USD_CARD')
      return disputing(merchant).raise(String(paid['payment_id']), body)
    },
    async open(page: Page, { dispute_id: id }: ShownDispute): Promise<void> {
      await page.goto(`${folder}/${id}`)
      await heading(page, /^USD/)
    },
    isNow: (id: string, status: string) =>
      until(async () => (await disputes.read(id)).status === status, `it is ${status}`),
    /** The bank raises the dispute that it has announced. */
    async endWarning({ dispute_id: id }: ShownDispute): Promise<void> {
      await stack.sql(
        `update simulated_disputes set warns_until = now() - interval '1 minute'
         where network_id = (select network_id from disputes where id = ?)`,
        [id],
      )
      await (await addStaff(stack)).on('disputes', id, 'retry')
    },
  }
}
