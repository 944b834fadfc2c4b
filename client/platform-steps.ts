// The steps of a platform that sells together with a connected account: onboarding, transfers and fees.
import type { Answer } from './api.ts'
import { newBuyer, pay, type Recipe, refund, type Step, transfer } from './sale-steps.ts'

const address = { line1: '12 Marina Road', city: 'Lagos', country: 'NG' }

/** The least that an account provides: a sole proprietor needs no document at first, unless there are payouts. */
const account = {
  country: 'NG',
  business_type: 'individual',
  business_profile: {
    name: 'A seller of steadypay trigger',
    product_category: 'ebooks',
    product_description: 'Books that are sold to try out an integration',
  },
  terms_acceptance: { accepted: true },
  capabilities: { card_payments: { requested: true }, transfers: { requested: true }, payouts: { requested: false } },
}
const representative = {
  roles: ['representative'],
  first_name: 'Ada',
  last_name: 'Seller',
  phone_number: '+2348012345678',
  address,
  date_of_birth: '1990-04-12',
  id_number: '22212345678',
}

/** Makes a connected account that the sandbox approves after some seconds. Returns its id. */
export async function onboard(step: Step): Promise<string> {
  const path = '/v1/accounts'
  const body = { ...account, email: newBuyer().email }
  const id = String((await step('a connected account is created', { path, body }))['account_id'])
  await step('the person who acts for it is added', { path: `${path}/${id}/persons`, body: representative })
  const isActive = ({ status }: Answer) => status === 'active'
  await step('the sandbox approves it', { method: 'GET', path: `${path}/${id}`, until: isActive })
  return id
}

/** The steps of the platform for a connected account. */
const actingFor =
  (step: Step, accountId: string): Step =>
  (what, call) =>
    step(what, { ...call, accountId })

/** Transfers a part of a bank transfer: its money is available at once. Returns the path of the transfer. */
export async function send(step: Step): Promise<string> {
  const destination = await onboard(step)
  await transfer(step, 'all of the money arrives', '5000.00')
  const body = { destination, amount: '1000.00', currency: 'NGN', reference: 'steadypay trigger' }
  const { transfer_id } = await step('a part of it is transferred', { path: '/v1/transfers', body })
  return `/v1/transfers/${transfer_id}`
}

export const sendAndReverse: Recipe = async (step) =>
  step('the transfer is reversed', { path: `${await send(step)}/reversals`, body: {} })

/** A refund takes a share of the sale back from the seller. It fails, so the share is the seller's again. */
export async function undoReversal(step: Step): Promise<void> {
  const destination = await onboard(step)
  const sale = { transfer_data: { destination, amount: '10.00' } }
  await refund(step, failing, 'failed', { sale, refund: { reverse_transfer: true } })
}

const fee = { platform_fee: '2.50' }
const failing = 'a refund is requested, and the rail fails'

/** A sale of a connected account that pays the platform a fee. Returns the id of the account. */
export async function earnFee(step: Step): Promise<string> {
  const seller = await onboard(step)
  await pay(actingFor(step, seller), 'the buyer pays the connected account by card', 'success', fee)
  return seller
}

export async function refundFee(step: Step): Promise<void> {
  const query = { account_id: await earnFee(step) }
  const isThere = ({ items }: Answer) => (items as unknown[]).length > 0
  const found = await step('the fee is looked up', { method: 'GET', path: '/v1/platform-fees', query, until: isThere })
  const [earned] = found['items'] as { platform_fee_id: string }[]
  await step('the fee is refunded', { path: `/v1/platform-fees/${earned?.platform_fee_id}/refund`, body: {} })
}

/** A refund of the sale gives the fee back. It fails, so the fee is the platform's again. */
export async function undoFeeRefund(step: Step): Promise<void> {
  const seller = actingFor(step, await onboard(step))
  await refund(seller, failing, 'failed', { sale: fee, refund: { refund_platform_fee: true } })
}
