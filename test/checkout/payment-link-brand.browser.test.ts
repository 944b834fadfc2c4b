import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { graveBarriersOn } from '../support/barriers.ts'
import { desktop, heading, phone, useCheckoutPages } from '../support/checkout-pages.ts'
import { createLink, type Link, openPrice } from '../support/payment-link.ts'
import { addImage } from '../support/upload.ts'

// A payment link's own page shows the seller as the page of a session does, in each of the four languages.

const open = await useCheckoutPages()
const { merchant } = open.stack
const setAccount = async (body: object) => assert.equal((await merchant.call('PATCH', '/v1/account', body)).status, 200)
const addressOf = ({ url }: Link) => new URL(url).href

const asking = () => createLink(merchant, { name: 'For the choir', price: openPrice })

async function closed(): Promise<Link> {
  const link = await createLink(merchant)
  const body = { active: false }
  assert.equal((await merchant.call('PATCH', `/v1/payment-links/${link.payment_link_id}`, body)).status, 200)
  return link
}

async function assertBranded(page: Page) {
  assert.match((await page.locator('.logo img').getAttribute('src')) ?? '', /^\/uploads\/upl_/)
  assert.equal(
    await page.locator('.logo img').evaluate((one: { naturalWidth: number }) => one.naturalWidth),
    1,
    'the logo is loaded',
  )
  assert.equal(await page.locator('.help a').getAttribute('href'), 'mailto:help@example.com')
  assert.equal(await page.locator('meta[name=theme-color]').getAttribute('content'), '#7a1fa2')
  assert.equal(await page.locator('link[href="/assets/brand-7a1fa2.css"]').count(), 1)
  await page.locator('header.test').waitFor()
  const grave = await graveBarriersOn(page)
  assert.deepEqual(
    grave.map(({ id }) => id),
    [],
  )
}

test('a link that asks for the amount, and a closed one, show logo, colour and address for questions', async () => {
  await setAccount({ logo: await addImage(merchant), support_email: 'help@example.com', accent_color: '#7a1fa2' })
  const [amount, ended] = [await asking(), await closed()]
  for (const look of [
    { viewport: phone, colorScheme: 'light', script: true },
    { viewport: desktop, colorScheme: 'dark', script: false },
  ] as const) {
    await open.visit(
      addressOf(amount),
      async (page) => {
        await heading(page, 'For the choir')
        const button = `getComputedStyle(document.querySelector('main button')).backgroundColor`
        assert.equal(await page.evaluate<string>(button), 'rgb(122, 31, 162)')
        if (look.script) await assertBranded(page)
      },
      look,
    )
    await open.visit(
      addressOf(ended),
      async (page) => {
        await heading(page, 'This link is not in use')
        if (look.script) await assertBranded(page)
      },
      look,
    )
  }
})

test('without a brand of its own, the page of a link shows only the name', async () => {
  await setAccount({ logo: null, support_email: null, accent_color: null })
  await open.visit(addressOf(await asking()), async (page) => {
    await heading(page, 'For the choir')
    assert.equal(await page.locator('.logo, .help, link[href*=brand], meta[name=theme-color]').count(), 0)
  })
})

test('a colour or a logo that is removed is gone from a link that exists', async () => {
  const link = await asking()
  await setAccount({ accent_color: '#7a1fa2' })
  await open.visit(addressOf(link), async (page) => {
    assert.equal(await page.locator('link[href*=brand]').count(), 1)
  })
  await setAccount({ accent_color: null })
  await open.visit(addressOf(link), async (page) => {
    assert.equal(await page.locator('link[href*=brand]').count(), 0)
  })
})

const spoken = [
  ['fr', 'Des questions', 'Continuer'],
  ['sw', 'maswali', 'Endelea'],
  ['pt', 'Perguntas', 'Continuar'],
] as const

test('the page of a link speaks the language of the browser, with the address for questions', async () => {
  await setAccount({ support_email: 'help@example.com' })
  const link = await asking()
  for (const [locale, question, button] of spoken) {
    await open.visit(
      addressOf(link),
      async (page) => {
        await page.getByRole('button', { name: button }).waitFor()
        assert.equal(await page.locator('html').getAttribute('lang'), locale)
        assert.match((await page.locator('.help').textContent()) ?? '', new RegExp(question), locale)
      },
      { locale },
    )
  }
  await setAccount({ support_email: null })
})

test('the public view of a link names what a page shows of the seller, and nothing else of the account', async () => {
  await setAccount({ support_email: 'help@example.com', accent_color: '#7a1fa2' })
  const { url } = await asking()
  const answer = await fetch(`${open.stack.baseUrl}/v1/payment-links/${url.split('/').at(-1)}/public`)
  const body = (await answer.json()) as { merchant: object; environment: string }
  assert.deepEqual(Object.keys(body).toSorted(), [
    'asked_amount',
    'environment',
    'inactive_message',
    'merchant',
    'merchant_name',
    'name',
    'status',
  ])
  assert.deepEqual(body.merchant, {
    support_email: 'help@example.com',
    logo_url: null,
    accent_color: '#7a1fa2',
  })
  assert.equal(body.environment, 'sandbox')
})
