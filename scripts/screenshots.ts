// npm run screenshots: makes a few sales and a payout in the sandbox, and photographs the pages about them for the
// README and the docs, in docs/images. Uses the stack that runs already, or starts one and stops it. For pictures of a
// new merchant run it in a clone without .local.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { cards, type Merchant, sale } from '../test/support/merchant.ts'
import { launchBrowser } from '../test/support/browser.ts'
import { destinations } from '../test/support/destination-examples.ts'
import { totpAt } from '../test/support/login.ts'
import { lookIntoEngine } from './demo/engine.ts'
import { findStack, type Stack } from './demo/stack.ts'
import { check, done, say, until } from './demo/step.ts'
import { merchantOf } from './demo/webhook.ts'
import { browserBinary } from './infra/browser-binary.ts'
import { ROOT } from './infra/paths.ts'
import { runSession } from './infra/session.ts'

const FOLDER = join(ROOT, 'docs/images')
const desktop = { width: 1280, height: 800 }

type Shown = Awaited<ReturnType<typeof playScenes>>

await runSession(async (session) => {
  process.env['CHROMIUM'] = await browserBinary()
  mkdirSync(FOLDER, { recursive: true })
  const stack = await findStack(session)
  const engine = await lookIntoEngine(session, stack)
  const shown = await playScenes(merchantOf(stack))
  const browser = await launchBrowser()
  session.atEnd(() => browser.close())
  await photographPages(browser, stack, shown)
  if (stack.temporal_ui_url !== null) await photographEngine(browser, engine.urlOf(`payout/${shown.payoutId}`))
  say('All pictures are in docs/images.')
  return 0
})

/** What the pictures show: paid sales, a sale that is open, and a payout that waits for a reviewer. */
async function playScenes(merchant: Merchant) {
  const coffee = { ...sale, description: 'Roasted coffee' }
  // A stack that has just started may answer its first call late.
  const first = () => merchant.chargeByCard({ ...coffee, amount: '48.00', reference: 'order-1041' }).catch(() => null)
  await until('the first sale', first, { withinMs: 120_000 })
  for (const [amount, reference] of [
    ['125.50', 'order-1042'],
    ['19.99', 'order-1043'],
  ] as const) {
    await merchant.chargeByCard({ ...coffee, amount, reference })
  }
  await merchant.payByCard(await merchant.createCheckout({ ...coffee, reference: 'order-1044' }), cards.declined)
  await merchant.chargeByTransfer({
    ...sale,
    amount: '950000.00',
    currency: 'NGN',
    reference: 'order-1045',
    description: 'A coffee machine',
  })
  const open = await merchant.createCheckout({ ...sale, amount: '64.00', description: 'Two bags of coffee' })
  const { status, body, text } = await merchant.call('POST', '/v1/payouts/destinations', {
    ...destinations.NGN,
    name: 'Our bank in Lagos',
  })
  check(status === 201, `a destination is made: ${text}`)
  const destination = String(body['id'])
  const isApproved = async () => {
    const read = await merchant.call('GET', `/v1/payouts/destinations/${destination}`)
    return String(read.body['status']) === 'approved' || null
  }
  await until('the sandbox’s approval of the destination', isApproved, { withinMs: 60_000 })
  const { id: payoutId } = await merchant.payOut(destination, { amount: '250000.00', reference: 'sandbox_hold' })
  const isHeld = async () => (await merchant.getPayout(payoutId)).status === 'pending' || null
  await until('the payout to be held', isHeld, { withinMs: 60_000 })
  done('sales, and a payout that waits for a reviewer')
  return { checkoutUrl: open.checkout_url, payoutId }
}

async function photographPages(browser: Browser, stack: Stack, { checkoutUrl, payoutId }: Shown): Promise<void> {
  const buyer = await browser.newPage({ viewport: desktop })
  await buyer.goto(checkoutUrl)
  await photograph(buyer, 'checkout')
  const merchant = await signedIn(browser, `${stack.base_url}/dashboard`, stack.owner)
  await photograph(merchant, 'dashboard')
  const staff = await signedIn(browser, `${stack.base_url}/ops`, stack.reviewer)
  await staff.goto(`${stack.base_url}/ops/payouts/${payoutId}`)
  await photograph(staff, 'review-desk-payout')
}

/** The list of processes with the payout, and the page of its process. */
async function photographEngine(browser: Browser, listUrl: string): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await page.goto(listUrl)
  await page
    .getByRole('link', { name: /^payout\// })
    .first()
    .click()
  await page
    .getByText(/^reviewer, until/)
    .first()
    .waitFor()
  await photograph(page, 'process')
}

async function signedIn(browser: Browser, url: string, person: Stack['owner']): Promise<Page> {
  if (person === null) throw new Error('the stack has no person to sign in')
  const page = await browser.newPage({ viewport: desktop })
  await page.goto(url)
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password').fill(person.password)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('textbox', { name: /code$/i }).fill(totpAt(person.totp_secret, Date.now()))
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(({ pathname }) => !pathname.includes('/login'))
  return page
}

async function photograph(page: Page, name: string): Promise<void> {
  await page.waitForLoadState()
  // Not until the network is idle: the page of a process always waits for news. What it shows first has come by now.
  await page.evaluate('document.fonts.ready')
  await page.waitForTimeout(2_000)
  await page.screenshot({ path: join(FOLDER, `${name}.png`) })
  done(`docs/images/${name}.png`)
}
