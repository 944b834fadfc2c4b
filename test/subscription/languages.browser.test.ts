import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { type LanguageCode, languageCodes } from '../../domain/language.ts'
import { launchBrowser, watchPage } from '../support/browser.ts'
import { desktop, tinyPhone } from '../support/checkout-pages.ts'
import { keyOf, payersOf } from '../support/invoice-page.ts'
import { assertFits, assertInLanguage, hostileName, locales, textIn } from '../support/languages.ts'
import { openPages } from '../support/pages.ts'
import { openPortal } from '../support/portal.ts'
import { liftRateLimits } from '../support/rows.ts'
import { laterCards, type Shown, subscriptionsOf } from '../support/subscription.ts'
import { useStack } from '../support/use-stack.ts'
import { atEnd } from '../support/use.ts'

// The portal and the page of an invoice in each language: by that of the sale or by the browser's, on the narrowest
// phone and a desktop, with and without script. Names that look like markup or like an insertion are shown as they are.
// With SHOTS=folder each page is saved as an image.

const shots = process.env['SHOTS']
if (shots) mkdirSync(shots, { recursive: true })
const stack = await useStack({ skipping: true, invariants: 'at the end' })
await liftRateLimits(stack)
const pages = await openPages(stack)
const browser = await launchBrowser()
atEnd(() => pages.stop())
atEnd(() => browser.close())
const plans = subscriptionsOf(stack)
const payers = payersOf(stack, plans)
const dayMs = 86_400_000
const others = languageCodes.filter((code) => code !== 'en')

const brand = { display_name: hostileName, support_email: 'help@example.com', accent_color: '#1a73e8' }
await plans.ok('PATCH', '/v1/account', brand)
const { product_id: basic } = await plans.createProduct({ name: hostileName })
const { product_id: pro } = await plans.createProduct({ name: 'Pro', amount: '1250.00' })
await plans.ok('POST', '/v1/product-groups', { name: 'Plans', products: [basic, pro] })

/** A subscription, and a second card of its customer that nothing uses. */
async function subscribe(number: string | undefined, session: Record<string, unknown>): Promise<Shown> {
  const opened = await plans.createSession(basic, session)
  await stack.dispatched()
  await stack.merchant.payByCard(opened, number)
  const { recurring } = (await stack.merchant.getCheckout(opened.checkout_id)) as { recurring: Record<string, string> }
  await stack.dispatched()
  const sub = await plans.read(String(recurring['subscription_id']))
  await plans.saveCard(sub.customer.id)
  return sub
}

/** Of each language a subscription that names it and is past due, and one that names none. */
const sold = new Map<LanguageCode, { named: Shown; unnamed: Shown }>()
for (const code of languageCodes) {
  sold.set(code, {
    named: await subscribe(laterCards.declines, { locale: locales[code] }),
    unnamed: await subscribe(undefined, {}),
  })
}
await stack.skip(32 * dayMs)
for (const { named } of sold.values()) await plans.until(named.subscription_id, ({ status }) => status === 'past_due')

let visitors = 0
type Look = { code: LanguageCode; speaks: string; viewport: typeof desktop; script: boolean }

async function visit({ speaks, viewport, script }: Look, work: (page: Page) => Promise<void>): Promise<void> {
  const context = await browser.newContext({
    javaScriptEnabled: script,
    viewport,
    locale: speaks,
    extraHTTPHeaders: { 'x-forwarded-for': `192.0.2.${++visitors}` },
  })
  await watchPage(context, { origins: [pages.base] }, work)
}

/** Looks at a page: its language, its width, its barriers, and that it names the brand. */
async function look(page: Page, { code, viewport, script }: Look, name: string): Promise<void> {
  if (shots) await page.screenshot({ path: `${shots}/${code}-${viewport.width}-${name}.png`, fullPage: true })
  await assertInLanguage(page, { code, name, hasScript: script })
  await assertFits(page, `${name} in ${code}`)
}

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor()

/** Goes through all pages of the portal. */
async function tourPortal(page: Page, how: Look, { customer, subscription_id: id }: Shown): Promise<void> {
  const { code } = how
  const { url } = await openPortal(stack.merchant, customer.id)
  await page.goto(pages.addressOf(url))
  await heading(page, textIn(code, 'sub.title'))
  await look(page, how, 'subscriptions')
  assert.equal(await page.locator('link[href="/assets/brand-1a73e8.css"]').count(), 1)
  const open = (path: string) => page.goto(`${pages.base}/portal${path}`)
  const press = () => page.locator('main form button').first().click()
  const one = `/subscriptions/${id}`
  for (const [path, title] of [
    ['/invoices', 'bills.title'],
    ['/cards', 'cards.title'],
    ['/details', 'your.details'],
    [`${one}/card`, 'cards.change'],
    [`${one}/plan`, 'plan.title'],
  ] as const) {
    await open(path)
    await heading(page, textIn(code, title))
    await look(page, how, path.split('/').at(-1) ?? '')
  }
  await open(`${one}/plan`)
  await press()
  await page.locator('main dl, main .notice').first().waitFor()
  await look(page, how, 'plan-confirm')
  await open(`${one}/cancel`)
  await page.getByLabel(textIn(code, 'reason.too_expensive')).check()
  await look(page, how, 'cancel')
  await press()
  await page.getByText(textIn(code, 'reason.too_expensive')).waitFor()
  await look(page, how, 'cancel-confirm')
  await open('/cards')
  await page
    .getByRole('link', { name: textIn(code, 'cards.remove') })
    .first()
    .click()
  await look(page, how, 'remove')
  await open('/details')
  await page.locator('#phone_number').fill('1')
  await page.locator('#city').fill('Lomé')
  await press()
  await page.getByRole('alert').getByText(textIn(code, 'problem.fields')).waitFor()
  await page.locator('#country-error').getByText(textIn(code, 'details.wrong.country')).waitFor()
  await look(page, how, 'details-wrong')
}

for (const code of others) {
  const elsewhere = code === 'fr' ? 'pt-PT' : 'fr-FR'
  test(`${code}: the language of the sale on a phone, whatever the browser speaks`, async () => {
    const sub = sold.get(code)?.named
    assert.ok(sub)
    const how = { code, speaks: elsewhere, viewport: tinyPhone, script: true }
    const invoice = await payers.newest(sub.subscription_id)
    await visit(how, async (page) => {
      await tourPortal(page, how, sub)
      await page.goto(`${pages.base}/invoice/${keyOf(invoice)}`)
      await page.getByRole('button').waitFor()
      await look(page, how, 'invoice')
      await page.getByRole('button').click()
      // The session that pays it is in the language of the sale too.
      await heading(page, textIn(code, 'heading.pay'))
    })
  })

  test(`${code}: the browser’s language where the sale named none, on a desktop, without script`, async () => {
    const sub = sold.get(code)?.unnamed
    assert.ok(sub)
    const how = { code, speaks: locales[code], viewport: desktop, script: false }
    const invoice = await payers.newest(sub.subscription_id)
    await visit(how, async (page) => {
      await tourPortal(page, how, sub)
      await page.goto(`${pages.base}/portal?all=1`)
      const [price, rhythm] = code === 'sw' ? ['$25.00 USD', 'kila mwezi'] : ['25,00 $ USD', '']
      const cost = (await page.locator('.cost').first().innerText()).replaceAll(/\s/g, ' ')
      assert.ok(cost.startsWith(price) && cost.endsWith(rhythm), cost)
      await page.goto(`${pages.base}/invoice/${keyOf(invoice)}`)
      await page.getByText(textIn(code, 'invoice.details')).waitFor()
      await look(page, how, 'invoice-paid')
    })
  })
}

const get = (path: string, language: string, init: RequestInit = {}) =>
  fetch(pages.base + path, {
    ...init,
    redirect: 'manual',
    headers: { 'accept-language': language, 'x-forwarded-for': `198.51.100.${++visitors}`, ...init.headers },
  })

test('the headers name the language, and that it depends on the browser', async () => {
  const sub = sold.get('sw')
  assert.ok(sub)
  const named = `/invoice/${keyOf(await payers.newest(sub.named.subscription_id))}`
  const unnamed = `/invoice/${keyOf(await payers.newest(sub.unnamed.subscription_id))}`
  const { token } = await openPortal(stack.merchant, sub.unnamed.customer.id)
  for (const [path, asked, shown] of [
    [named, 'fr', 'sw'],
    [unnamed, 'fr-CI,en;q=0.5', 'fr'],
    [unnamed, 'de', 'en'],
    [`/portal/${token}`, 'pt-BR', 'pt'],
    ['/portal', 'fr', 'fr'],
    ['/invoice/nothing', 'pt', 'pt'],
  ] as const) {
    const answer = await get(path, asked)
    assert.equal(answer.headers.get('content-language'), shown, path)
    assert.match(String(answer.headers.get('vary')), /\bAccept-Language\b/i, path)
    assert.match(await answer.text(), new RegExp(`<html lang="${shown}">`))
  }
})

test('a dead token, a form of another site and a paid invoice are answered in the language', async () => {
  const sub = sold.get('fr')?.named
  assert.ok(sub)
  const expired = await get('/portal', 'fr')
  assert.equal(expired.status, 410)
  const text = await expired.text()
  for (const key of ['ended.expired', 'portal.again'] as const) assert.ok(text.includes(textIn('fr', key)), key)

  const { token } = await openPortal(stack.merchant, sub.customer.id)
  const form = { method: 'POST', body: new URLSearchParams({}), headers: { cookie: `portal_token=${token}` } }
  const stopped = await get('/portal/details', 'en', form)
  assert.equal(stopped.status, 403)
  assert.ok((await stopped.text()).includes(textIn('fr', 'page.foreign')))

  const [paid] = await plans.invoices(sub.subscription_id)
  assert.ok(paid)
  const late = await get(`/invoice/${keyOf(paid)}`, 'en', { method: 'POST' })
  assert.equal(late.status, 409)
  const told = await late.text()
  assert.match(told, /<html lang="fr">/)
  assert.ok(told.includes(textIn('fr', 'invoice.paid')) && !told.includes(textIn('fr', 'invoice.refused')))
})

test('a notice is one of ours, whatever the address says', async () => {
  const sub = sold.get('pt')?.named
  assert.ok(sub)
  const { token } = await openPortal(stack.merchant, sub.customer.id)
  const cookie = { headers: { cookie: `portal_token=${token}` } }
  for (const done of ['constructor', 'toString', '__proto__', 'x', '']) {
    const html = await (await get(`/portal?all=1&done=${done}`, 'en', cookie)).text()
    assert.doesNotMatch(html, /class="waiting"|native code/)
  }
  const kept = await (await get('/portal?all=1&done=kept', 'en', cookie)).text()
  assert.ok(kept.includes(textIn('pt', 'done.kept')))
})

test('a page of one’s own reads the language of the sale: of an invoice, and of a customer', async () => {
  const sub = sold.get('sw')
  assert.ok(sub)
  for (const [{ subscription_id: id, customer }, locale] of [
    [sub.named, locales.sw],
    [sub.unnamed, null],
  ] as const) {
    assert.equal((await payers.see(await payers.newest(id)))['locale'], locale)
    const { token } = await openPortal(stack.merchant, customer.id)
    const headers = { authorization: `Bearer ${token}` }
    const me = await (await get('/v1/customer-portal/me', 'en', { headers })).json()
    assert.equal((me as Record<string, unknown>)['locale'], locale)
  }
})

test('an older form of the own details undoes nothing that a newer one has saved', async () => {
  const sub = sold.get('pt')?.named
  assert.ok(sub)
  const { token } = await openPortal(stack.merchant, sub.customer.id)
  const headers = { cookie: `portal_token=${token}`, 'sec-fetch-site': 'same-origin' }
  const about = token.split('_secret_')[0] ?? ''
  const html = await (await get('/portal/details', 'en', { headers })).text()
  const texts = { about, form_key: 'a-key', name: 'Ada', phone_number: '', line2: '', state: '', postal_code: '' }
  const address = { line1: '12 Marina Road', city: 'Lagos', country: 'NG' }
  const opened_with = /name="opened_with" value="([^"]*)"/.exec(html)?.[1]?.replaceAll('&quot;', '"') ?? ''
  async function send(typed: object) {
    const body = new URLSearchParams({ ...texts, ...typed, opened_with })
    assert.equal((await get('/portal/details', 'en', { method: 'POST', headers, body })).status, 303)
    return plans.ok('GET', `/v1/customers/${sub?.customer.id}`)
  }
  await send(address)
  const called = { phone_number: '+2348023456789' }
  const phoned = await send({ line1: '', city: '', country: '', ...called })
  assert.partialDeepStrictEqual(phoned, { ...called, billing_address: address })
  const moved = await send({ line1: '5 Ngong Road', city: '', country: 'KE' })
  const whole = { line1: '5 Ngong Road', city: null, country: 'KE' }
  assert.partialDeepStrictEqual(moved, { ...called, billing_address: whole }, 'no parts of two addresses')
})
