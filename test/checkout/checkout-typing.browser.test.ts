import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { newProduct } from '../support/cart.ts'
import { confirm, go, heading, useCheckoutPages, payIn, tinyPhone } from '../support/checkout-pages.ts'
import { cards, sale } from '../support/merchant.ts'
import { changeSession } from '../support/rows.ts'

// Buyers type key by key, make and correct mistakes, go back, come late, use two tabs and have a slow connection.

const open = await useCheckoutPages()

const script = { script: true }
const named = { customer: { email: 'ada@example.com', name: 'Ada Buyer' } }
const field = (page: Page, name: string) => page.locator(`#${name}`)
const values = (page: Page, ...names: string[]) => Promise.all(names.map((name) => field(page, name).inputValue()))
const focused = (page: Page) => page.evaluate<string>('document.activeElement.id')

async function type(page: Page, texts: Record<string, string>) {
  for (const [name, text] of Object.entries(texts)) {
    await field(page, name).fill('')
    await field(page, name).pressSequentially(text)
  }
}

const longName = `Zoë-Maëlys Ångström d’Été ${'de la Très-Longue-Maison '.repeat(9)}`.trim()
const person = { email: 'zoe@example.com', name: 'Zoë d’Été' }
const goodCard = { number: cards.success, expiry: '12/40', cvc: '123' }

test('the expiry is accepted however it is typed, pasted, corrected or filled in', async () => {
  const session = await open.createCheckout(named)
  const work = async (page: Page) => {
    const expiry = field(page, 'expiry')
    const typed = { '12/40': '12/40', '1240': '12/40', '12 / 40': '12/40', '12-40': '12/40', '1/40': '01/40' }
    for (const [text, shown] of Object.entries({ ...typed, '0740': '07/40', '740': '07/40', '12//40': '12/40' })) {
      await type(page, { expiry: text })
      assert.equal(await expiry.inputValue(), shown, text)
    }
    await type(page, { expiry: '11/3' })
    for (let presses = 0; presses < 3; presses++) await expiry.press('Backspace')
    assert.equal(await expiry.inputValue(), '1')
    await expiry.pressSequentially('2/40')
    assert.equal(await expiry.inputValue(), '12/40')
    for (const pasted of ['12/2040', ' 12 / 40 ', '1240']) {
      await expiry.fill('')
      await page.keyboard.insertText(pasted)
      assert.match(await expiry.inputValue(), /^12\/(20)?40$/, pasted)
    }
    await type(page, goodCard)
    // As a browser's autofill does: the value, then one event without a key.
    await expiry.evaluate((input: { value: string; dispatchEvent(event: Event): void }) => {
      input.value = '12/2040'
      input.dispatchEvent(new Event('input', { bubbles: true }))
    })
    await page.getByRole('button', { name: 'Pay $25.00' }).click()
    await heading(page, 'Payment complete')
    assert.doesNotMatch(await page.locator('.bill').innerText(), /Fee/)
    assert.match(await page.locator('.receipt').innerText(), /Visa ••4242/)
  }
  await open.visit(session.checkout_url, work, script)
})

test('a card is taken in the digits of a buyer’s own keyboard, with and without a script', async () => {
  for (const { script: isOn, number } of [
    { script: true, number: '4242 4242 4242 4242' },
    { script: false, number: '٤٢٤٢٤٢٤٢٤٢٤٢٤٢٤٢' },
  ]) {
    const session = await open.createCheckout(named)
    const work = async (page: Page) => {
      await type(page, { number: '٤٢٤٢٤٢٤٢٤٢٤٢٤٢٤٢', expiry: '۱۲۴۰', cvc: '१२३' })
      assert.deepEqual(await values(page, 'number', 'expiry'), [number, isOn ? '12/40' : '۱۲۴۰'])
      await page.getByRole('button', { name: /^(Pay|Continue)/ }).click()
      await heading(page, 'Payment complete')
    }
    await open.visit(session.checkout_url, work, { script: isOn })
  }
})

test('all errors are shown at once beside their fields, and with a script nothing that was typed is lost', async () => {
  const session = await open.createCheckout()
  const wrong = { email: 'zoe@localhost', name: ' ', number: '4242424242424241', expiry: '01/20', cvc: '1' }
  const all = ['email', 'name', 'number', 'expiry', 'cvc']
  const work = async (page: Page) => {
    await type(page, wrong)
    const answered = page.waitForResponse((response) => response.request().method() === 'POST')
    await go(page)
    const html = await (await answered).text()
    assert.doesNotMatch(html, /4242|4241|value="1"/)
    for (const name of all) {
      assert.notEqual(await field(page, `${name}-error`).innerText(), '')
      assert.equal(await field(page, name).getAttribute('aria-invalid'), 'true')
    }
    assert.equal(await focused(page), 'email')
    assert.deepEqual(await values(page, 'number', 'expiry', 'cvc'), ['4242 4242 4242 4241', '01/20', '1'])
    assert.equal(await page.getByText('For your security').count(), 0)
    const tree = await page.locator('main').ariaSnapshot()
    assert.match(tree, /alert:[\s\S]*link "Enter an email address[\s\S]*textbox "Card number"/)
    await heading(page, 'How would you like to pay?')
    await type(page, { email: person.email, name: longName, expiry: '12/40', cvc: '123' })
    await field(page, 'number').press('End')
    await field(page, 'number').press('Backspace')
    await field(page, 'number').pressSequentially('2')
    await go(page)
    await heading(page, 'Payment complete')
    await page.getByText(longName).first().waitFor()
  }
  await open.visit(session.checkout_url, work, { ...script, viewport: tinyPhone })
  const other = await open.createCheckout()
  await open.visit(other.checkout_url, async (page) => {
    await type(page, { ...wrong, ...person, number: cards.success })
    await go(page)
    await page.locator('#cvc-error').waitFor()
    assert.deepEqual(await values(page, 'number', 'cvc', 'email'), ['', '', person.email])
    await page.getByText('For your security we don’t keep card details').waitFor()
  })
})

/** Takes from the page what browsers of 2021 do not have. */
async function makeOld(page: Page) {
  await page.addInitScript(`
    const Form = FormData
    window.FormData = function (form) { return new Form(form) }
    Object.defineProperty(SubmitEvent.prototype, 'submitter', { value: undefined })
    const find = Document.prototype.querySelectorAll
    Document.prototype.querySelectorAll = function (selector) {
      if (selector.includes(':has(')) throw new SyntaxError(selector)
      return find.call(this, selector)
    }
  `)
  await page.route('**/*.css*', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, body: (await response.text()).replaceAll(':has(', ':unknown(') })
  })
}

test('in an old browser too an email is corrected, and going back and forth pays once', async () => {
  const session = await open.withFee(() => open.createCheckout())
  const work = async (page: Page) => {
    await type(page, { ...person, email: 'zeo@example.com', ...goodCard })
    await go(page)
    await heading(page, 'Check and confirm')
    await page.getByRole('link', { name: 'change your details' }).click()
    assert.deepEqual(await values(page, 'email', 'name'), ['zeo@example.com', person.name])
    await field(page, 'name').press('Tab')
    assert.equal(await focused(page), 'method-USD_CARD')
    assert.equal(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle'), 'solid')
    await type(page, { email: person.email, ...goodCard })
    await go(page)
    await heading(page, 'Check and confirm')
    await page.getByText(person.email).waitFor()
    await page.goBack()
    await heading(page, 'How would you like to pay?')
    await page.goForward()
    await confirm(page)
    await heading(page, 'Payment complete')
    await page.goBack()
    await heading(page, 'Payment complete')
  }
  await open.visit(session.checkout_url, work, { ...script, prepare: makeOld })
  const { customer_details } = await open.stack.merchant.getCheckout(session.checkout_id)
  assert.deepEqual(customer_details, person)
  const payments = await open.stack.sql('select id from payments where checkout_id = ?', [session.checkout_id])
  assert.equal(payments.length, 1)
})

test('the page shows by itself that its session has expired, also in a tab that was asleep', async () => {
  const end = (id: string) => changeSession(open.stack, id, { status: 'expired', paymentStatus: 'canceled' })
  for (const [what, wait] of [
    ['in time', (page: Page) => page.clock.fastForward(61 * 60_000)],
    [
      'after a sleep',
      async (page: Page) => {
        await page.clock.fastForward(10_000)
        await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`)
      },
    ],
  ] as const) {
    const session = await open.createCheckout()
    const work = async (page: Page) => {
      await page.clock.install()
      await page.reload()
      await type(page, person)
      await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`)
      assert.deepEqual(await values(page, 'email'), [person.email], what)
      await end(session.checkout_id)
      await wait(page)
      await heading(page, 'This page has expired')
    }
    await open.visit(session.checkout_url, work, script)
  }
  const session = await open.createCheckout()
  await open.visit(session.checkout_url, async (page) => {
    const seconds = Number(await page.locator('meta[http-equiv=refresh]').getAttribute('content'))
    assert.ok(seconds > 3_500 && seconds <= 3_603, String(seconds))
  })
})

/** Breaks off the next answer that the page's script reads, after its headers, and counts what it asks for. */
const breakNextAnswer = (page: Page) =>
  page.evaluate(`{
    const { text } = Response.prototype
    const { dataset } = document.documentElement
    Response.prototype.text = async function () {
      Response.prototype.text = text
      dataset.broken = 'yes'
      throw new TypeError('broken off')
    }
    const { fetch } = window
    window.fetch = (...request) => {
      dataset.asked = Number(dataset.asked ?? 0) + 1
      return fetch(...request)
    }
  }`)

test('another currency is shown at once with all that was typed, and nothing is charged in the first one', async () => {
  const session = await open.createCheckout()
  const work = async (page: Page) => {
    await type(page, { ...person, ...goodCard })
    assert.equal(await page.getByRole('button', { name: 'Change' }).count(), 0)
    await breakNextAnswer(page)
    await page.getByLabel('Pay in').selectOption('NGN')
    await page.getByRole('alert').getByText('We could not reach the server').waitFor()
    assert.deepEqual(await values(page, 'paid-in'), ['USD'])
    await payIn(page, 'NGN')
    assert.match(await page.locator('.summary .amount').innerText(), /^₦40,000\.00\sNGN$/)
    const typed = await values(page, 'email', 'name', 'number', 'expiry', 'cvc')
    assert.deepEqual(typed, [person.email, person.name, '4242 4242 4242 4242', '12/40', '123'])
    assert.equal(await focused(page), 'paid-in')
    await go(page)
    await heading(page, 'Check and confirm')
    assert.match(await page.locator('.bill').innerText(), /You pay\s+₦40,000\.00\sNGN/)
  }
  await open.visit(session.checkout_url, work, { ...script, viewport: tinyPhone })
  const other = await open.createCheckout()
  await open.visit(other.checkout_url, async (page) => {
    await type(page, { ...person, ...goodCard })
    await page.getByLabel('Pay in').selectOption('NGN')
    await go(page)
    await page.getByText('You chose to pay in NGN. Check the price, then continue.').waitFor()
    assert.deepEqual(await values(page, 'email', 'name', 'number'), [person.email, person.name, ''])
    await payIn(page, 'USD')
    await payIn(page, 'NGN')
    await type(page, goodCard)
    await field(page, 'cvc').press('Enter')
    await heading(page, 'Check and confirm')
    await page.getByRole('button', { name: /Confirm and pay ₦40,000\.00/ }).waitFor()
  })
})

test('a form that is under way is not replaced by the prices of a currency that was chosen before', async () => {
  const session = await open.createCheckout()
  const work = async (page: Page) => {
    const [prices, form] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    await page.route('**/checkout/**', async (route) => {
      await (route.request().method() === 'POST' ? form : prices).promise
      return route.continue()
    })
    await page.evaluate(`{
      const { prototype } = DOMParser
      const { parseFromString } = prototype
      prototype.parseFromString = function (...given) {
        document.documentElement.dataset.parsed = 'yes'
        return parseFromString.apply(this, given)
      }
    }`)
    await type(page, { ...person, ...goodCard })
    await page.getByLabel('Pay in').selectOption('NGN')
    await go(page)
    prices.resolve()
    await page.locator('[data-parsed]').waitFor()
    assert.equal(await page.locator('main form > button[value=pay]').getAttribute('aria-busy'), 'true')
    form.resolve()
    await page.getByText('You chose to pay in NGN. Check the price, then continue.').waitFor()
    const typed = await values(page, 'paid-in', 'email', 'name', 'number', 'cvc')
    assert.deepEqual(typed, ['NGN', person.email, person.name, '4242 4242 4242 4242', '123'])
  }
  await open.visit(session.checkout_url, work, script)
})

test('a local mobile money number is accepted, with its country’s hint, and the page follows the payment', async () => {
  const session = await open.createCheckout({ ...sale, ...named, amount: '90.00', currency: 'GHS' })
  const work = async (page: Page) => {
    await page.getByText('Such as 023 123 4567 or +233 23 123 4567.').waitFor()
    await type(page, { phone: '+254 700 000 001' })
    await go(page)
    await page.locator('#phone-error').getByText('Enter a mobile money number from Ghana.').waitFor()
    await type(page, { phone: '0244123451' })
    await go(page)
    await heading(page, 'Approve the payment on your phone')
    await page.getByText('MTN MoMo will ask you to approve').waitFor()
    await heading(page, 'Payment complete')
  }
  await open.visit(session.checkout_url, work, { ...script, viewport: tinyPhone })
  const francs = await open.createCheckout({ ...sale, ...named, amount: '5000', currency: 'XOF' })
  const choose = async (page: Page) => {
    await page.getByText('Such as 01 95 12 34 56').waitFor()
    await page.getByLabel('Country').selectOption('Senegal')
    await page.getByText('Such as 70 123 45 67 or +221 70 123 45 67.').waitFor()
    await type(page, { phone: '70 123 45 61' })
    await go(page)
    await heading(page, 'Approve the payment on your phone')
    await page.getByText('+221').first().waitFor()
  }
  await open.visit(francs.checkout_url, choose, script)
})

test('a cart shows its total, and a receipt shows no stored data of the customer whose email was typed', async () => {
  const { merchant } = open.stack
  await merchant.call('POST', '/v1/customers', { email: 'victim@example.com', name: 'Victoria Stored' })
  const product_cart = await Promise.all(
    ['4.50', '3.00'].map(async (amount) => ({ product_id: await newProduct(merchant, { amount }), quantity: 2 })),
  )
  const plain = { amount: undefined, currency: undefined, description: undefined }
  const session = await open.createCheckout({ ...plain, product_cart, customer_creation: 'always' })
  const work = async (page: Page) => {
    assert.match(await page.locator('.summary .bill').innerText(), /^Total\s+\$15\.00\sUSD$/)
    await type(page, { email: 'victim@example.com', name: 'Mallory', ...goodCard })
    await go(page)
    await heading(page, 'Payment complete')
    assert.match(await page.locator('.receipt').innerText(), /Mallory\s+victim@example\.com/)
    assert.doesNotMatch(await page.content(), /Victoria/)
  }
  await open.visit(session.checkout_url, work, script)
})

test('on a slow or broken connection a form is sent once and nothing is lost; another tab updates itself', async () => {
  const session = await open.withFee(() => open.createCheckout())
  const work = async (page: Page) => {
    let sent = 0
    const { promise: isThrough, resolve: letThrough } = Promise.withResolvers<void>()
    await page.route('**/checkout/**', async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      if (++sent === 1) return route.abort()
      await isThrough
      return route.continue()
    })
    await type(page, { ...person, ...goodCard })
    await go(page)
    await page.getByRole('alert').getByText('We could not reach the server').waitFor()
    assert.deepEqual(await values(page, 'number', 'cvc'), ['4242 4242 4242 4242', '123'])
    await go(page)
    assert.equal(await page.getByRole('button', { name: 'Continue' }).getAttribute('aria-busy'), 'true')
    await page.getByLabel('Pay in').selectOption('NGN')
    assert.deepEqual(await values(page, 'paid-in'), ['USD'])
    await go(page)
    letThrough()
    await heading(page, 'Check and confirm')
    assert.equal(sent, 2)
    const second = await page.context().newPage()
    await second.goto(page.url())
    await confirm(second)
    await heading(second, 'Payment complete')
    await page.clock.install()
    await page.clock.setSystemTime(Date.now() + 10_000)
    await breakNextAnswer(page)
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`)
    await page.locator('[data-broken]').waitFor()
    await page.clock.fastForward(5_000)
    assert.equal(await page.locator('html').getAttribute('data-asked'), '1', 'the page waits before it asks again')
    await page.clock.fastForward(11_000)
    await heading(page, 'Payment complete')
  }
  await open.visit(session.checkout_url, work, script)
  const payments = await open.stack.sql('select id from payments where checkout_id = ?', [session.checkout_id])
  assert.equal(payments.length, 1)
})

test('two people who confirm one session at once both see it paid, and it is paid once', async () => {
  const session = await open.withFee(() => open.createCheckout(named))
  const one = async (page: Page) => {
    await type(page, goodCard)
    await go(page)
    await heading(page, 'Check and confirm')
    const other = async (theirs: Page) => {
      await heading(theirs, 'Check and confirm')
      await Promise.all([confirm(page), confirm(theirs)])
      await Promise.all([heading(page, 'Payment complete'), heading(theirs, 'Payment complete')])
    }
    await open.visit(session.checkout_url, other, script)
  }
  await open.visit(session.checkout_url, one, script)
  const payments = await open.stack.sql('select id from payments where checkout_id = ?', [session.checkout_id])
  assert.equal(payments.length, 1)
})
