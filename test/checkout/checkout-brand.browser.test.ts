import assert from 'node:assert/strict'
import { test } from 'node:test'
import { graveBarriersOn } from '../support/barriers.ts'
import { choose, desktop, heading, phone, typeBuyer, typeCard, useCheckoutPages } from '../support/checkout-pages.ts'
import { addImage } from '../support/upload.ts'

// What the pages show of the merchant: colour, logo, the address for questions. All of it comes from our own address.

const open = await useCheckoutPages()
const { merchant } = open.stack
const setAccount = async (body: object) => assert.equal((await merchant.call('PATCH', '/v1/account', body)).status, 200)

const looks = [
  { viewport: phone, colorScheme: 'light' },
  { viewport: desktop, colorScheme: 'dark' },
] as const

for (const colour of ['#ffe600', '#101010', '#f7f7f7', '#7a7a7a']) {
  test(`a page in ${colour} can be read and used, in light and in dark, until the receipt`, async () => {
    await setAccount({ accent_color: colour })
    for (const look of looks) {
      const session = await open.createCheckout()
      await open.visit(
        session.checkout_url,
        async (page) => {
          const readable = async (state: string) => {
            const serious = await graveBarriersOn(page)
            assert.deepEqual(
              serious.map(({ id }) => id),
              [],
              `${colour} ${look.colorScheme} ${state}`,
            )
          }
          await heading(page, 'How would you like to pay?')
          const background = await page.evaluate<string>(
            `getComputedStyle(document.querySelector('button[value=pay]')).backgroundColor`,
          )
          const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))
          assert.equal(background, `rgb(${red}, ${green}, ${blue})`)
          await readable('choose')
          await choose(page, 'Card')
          await typeBuyer(page)
          await typeCard(page)
          await heading(page, 'Payment complete')
          await readable('paid')
        },
        { script: true, ...look },
      )
    }
  })
}

test('the logo and the address for questions are shown, and the logo comes from our own address', async () => {
  await setAccount({ logo: await addImage(merchant), support_email: 'help@example.com', accent_color: '#1a73e8' })
  const session = await open.createCheckout()
  await open.visit(session.checkout_url, async (page) => {
    const logo = page.locator('.logo img')
    assert.match((await logo.getAttribute('src')) ?? '', /^\/uploads\/upl_/)
    assert.equal(await logo.evaluate((one: { naturalWidth: number }) => one.naturalWidth), 1)
    await page.getByText('Questions? Write to help@example.com').waitFor()
    assert.equal(await page.locator('.help a').getAttribute('href'), 'mailto:help@example.com')
  })
  await setAccount({ logo: null, support_email: null, accent_color: null })
  await open.visit(session.checkout_url, async (page) => {
    assert.equal(await page.locator('.logo, .help, link[href*=brand]').count(), 0)
  })
})

test('the stylesheet of a colour is served as such and may be cached; of anything else there is none', async () => {
  const sheet = await fetch(`${open.pages.base}/assets/brand-1a73e8.css`)
  assert.deepEqual(
    [sheet.status, sheet.headers.get('content-type'), sheet.headers.get('cache-control')],
    [200, 'text/css; charset=utf-8', 'public, max-age=31536000, immutable'],
  )
  assert.match(await sheet.text(), /^:root\{--brand:#1a73e8;/)
  for (const name of ['red', '12345', '1A73E8', '1a73e8%3B', '1a73e80', '%7D'])
    assert.equal((await fetch(`${open.pages.base}/assets/brand-${name}.css`)).status, 404, name)
})
