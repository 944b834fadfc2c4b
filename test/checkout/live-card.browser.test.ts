import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { languageCodes } from '../../domain/language.ts'
import { catalogues } from '../../web/words/catalogues.ts'
import { serveStripeJs } from '../doubles/stripe/stripe-js.ts'
import { barriersIn, describeBarriers, isGrave } from '../support/barriers.ts'
import { choose, desktop, heading, payIn, phone, tinyPhone } from '../support/checkout-pages.ts'
import { docBlocks } from '../support/doc-blocks.ts'
import { documentOf, enter, input, ours, useLivePages } from '../support/live-pages.ts'
import { buyer, cards, setup } from '../support/merchant.ts'
import { newCustomer, sellTo } from '../support/saved-card.ts'

// A live buyer enters a card in Stripe's field on our page, or on the page of Paystack.

const { open, stack, merchant, stripe, paymentOf, sell, visit, ...news } = await useLivePages()
const inNaira = { amount: '5000.00', currency: 'NGN', payment_method_options: { card: { currencies: ['NGN'] } } }
const paying = (page: Page) => page.getByRole('button', { name: 'Pay $25.00' })

async function assertReadable(page: Page, state: string) {
  for (const frame of [page.mainFrame(), documentOf(page)]) {
    assert.deepEqual(describeBarriers((await barriersIn(frame)).filter(isGrave)), [], state)
  }
}

// With PICTURES=folder each state is saved as an image.
const pictures = process.env['PICTURES']
if (pictures) mkdirSync(pictures, { recursive: true })
const shoot = async (page: Page, name: string) => {
  if (pictures) await page.screenshot({ path: `${pictures}/${name}.png`, fullPage: true })
}

for (const look of [
  { viewport: phone, colorScheme: 'light' },
  { viewport: phone, colorScheme: 'dark' },
  { viewport: desktop, colorScheme: 'light' },
  { viewport: tinyPhone, colorScheme: 'dark' },
] as const) {
  const name = `${look.viewport.width} ${look.colorScheme}`
  test(`one press pays with the card that is typed into Stripe’s field, at ${name}`, async () => {
    const session = await sell()
    const seen = await visit(
      session,
      async (page) => {
        await heading(page, 'How would you like to pay?')
        await input(page, 'cardNumber').waitFor()
        await shoot(page, `field-empty-${name}`)
        await paying(page).click()
        const frame = ours(page)
        await frame.getByText('Check the card number.').waitFor()
        await frame.getByText('Enter the month and year on the card').waitFor()
        await assertReadable(page, 'errors')
        await heading(page, 'How would you like to pay?')
        await shoot(page, `field-errors-${name}`)
        await enter(page, '4242424242424242')
        assert.equal(await frame.locator('.error:not(:empty)').count(), 0, 'what was mended is no error any more')
        await shoot(page, `field-filled-${name}`)
        await assertReadable(page, 'filled')
        const { y, height } = (await page.locator('iframe').boundingBox()) ?? assert.fail()
        const button = (await paying(page).boundingBox()) ?? assert.fail()
        assert.ok(button.y >= y + height, 'the frame is as high as what it shows')
        await paying(page).click()
        await heading(page, 'Payment complete')
        await page.locator('.receipt').getByText('Visa ••4242').waitFor()
      },
      look,
    )
    assert.deepEqual([seen.scripts, seen.numbers, seen.names], [1, ['4242424242424242'], [buyer.name]])
    assert.match(seen.addresses[0] ?? '', /\/checkout-card-field\?kind=card&lang=en$/)
    assert.equal(await stack.finished('checkout', session.checkout_id), 'completed')
  })
}

test('pressed twice and by Enter in the field, a card is charged once', async () => {
  const session = await sell()
  const seen = await visit(session, async (page) => {
    await enter(page, '4242424242424242')
    await input(page, 'cardCvc').press('Enter')
    await paying(page)
      .dblclick()
      .catch(() => undefined)
    await heading(page, 'Payment complete')
  })
  assert.equal(seen.numbers.length, 1)
  assert.equal(stripe.madeFor('payment_intent', await paymentOf(session)).length, 1)
})

test('a label leads into its field, and a buyer pays by keyboard alone', async () => {
  const session = await sell()
  await visit(session, async (page) => {
    await input(page, 'cardNumber').waitFor()
    await ours(page).getByText('Card number', { exact: true }).click()
    for (const [name, typed, next] of [
      ['cardNumber', '4242424242424242', 'Tab'],
      ['cardExpiry', '1240', 'Tab'],
      ['cardCvc', '123', 'Enter'],
    ] as const) {
      await input(page, name).and(page.locator(':focus')).waitFor() // a frame takes the focus a moment later
      await page.keyboard.type(typed)
      await page.keyboard.press(next)
    }
    await heading(page, 'Payment complete')
  })
})

test('a declined card says so in our words, and another one pays', async () => {
  const session = await sell()
  await visit(session, async (page) => {
    await enter(page, cards.declined)
    await paying(page).click()
    await page.getByRole('alert').getByText('Your bank declined the card').waitFor()
    await shoot(page, 'declined')
    assert.equal(await input(page, 'cardNumber').inputValue(), '', 'a new attempt begins with a new card')
    await enter(page, '4000000000000069')
    await paying(page).click()
    await ours(page).getByText('Check the card number.').waitFor()
    assert.equal(await ours(page).getByText('Stripe’s words').count(), 0)
    await input(page, 'cardNumber').fill('4242424242424242')
    await input(page, 'cardExpiry').fill('1220')
    await ours(page).getByText('This date has passed.').waitFor()
    await input(page, 'cardExpiry').fill('1240')
    await paying(page).click()
    await heading(page, 'Payment complete')
  })
  const rows = await stack.sql<{ status: string }>(
    'select status from payments where checkout_id = ? order by created_at',
    [session.checkout_id],
  )
  assert.deepEqual(
    rows.map(({ status }) => status),
    ['failed', 'succeeded'],
  )
})

test('an error elsewhere leaves the card typed, and a press after a lost answer is the same call', async () => {
  const session = await sell({ customer: undefined })
  const seen = await visit(session, async (page) => {
    await page.getByLabel('Name', { exact: true }).fill('Ada Buyer')
    await page.getByLabel('Email').fill('none')
    await enter(page, '4242424242424242')
    await paying(page).click()
    await page.locator('.error', { hasText: 'Enter an email address' }).waitFor()
    assert.equal(await input(page, 'cardNumber').inputValue(), '4242424242424242')
    await page.getByLabel('Email').fill('ada@example.com')
    const bodies: string[] = []
    await page.route(open.pages.addressOf(session.checkout_url), async (route) => {
      bodies.push(route.request().postData() ?? '')
      await (bodies.length === 1 ? route.abort() : route.continue())
    })
    await paying(page).click()
    await page.getByRole('alert').getByText('We could not reach the server').waitFor()
    await paying(page).click()
    await heading(page, 'Payment complete')
    assert.equal(bodies[0], bodies[1])
  })
  assert.equal(seen.numbers.length, 2)
})

test('a bank that wants to see the buyer is opened at once; they come back, and the receipt is there', async () => {
  const session = await sell()
  await visit(session, async (page) => {
    await enter(page, cards.threeDs)
    await paying(page).click()
    await page.getByRole('heading', { name: 'Your bank' }).waitFor()
    await page.getByRole('link', { name: 'Approve' }).click()
    await page.getByRole('link', { name: 'Return' }).click()
    // The rail was not asked yet: the buyer is not sent away again.
    await heading(page, 'Continue to your bank')
    assert.equal(new URL(page.url()).search, '')
    await news.callBackFromStripe()
    await heading(page, 'Payment complete')
  })
  assert.equal(await stack.finished('checkout', session.checkout_id), 'completed')
})

test('a buyer who refuses at their bank, and was asked for no code, does not read that one was wrong', async () => {
  const session = await sell()
  await visit(session, async (page) => {
    await enter(page, cards.threeDs)
    await paying(page).click()
    await page.getByRole('link', { name: 'Refuse' }).click()
    await page.getByRole('link', { name: 'Return' }).click()
    await news.callBackFromStripe()
    const words = 'Your bank or wallet could not verify that it’s you. If you entered a code, it may have been wrong.'
    await page.getByRole('alert').getByText(words).waitFor()
  })
  await merchant.cancel(session.checkout_id)
})

for (const script of [true, false]) {
  test(`a card that is entered at Paystack has no field: one press leads there, script ${script}`, async () => {
    const session = await sell(inNaira)
    const seen = await visit(
      session,
      async (page) => {
        await page.getByText('You enter your card on our payment provider’s page next.').waitFor()
        assert.equal(await page.locator('iframe, input[name=number], [data-frame]').count(), 0)
        await shoot(page, `page-entry-${script}`)
        await page.getByRole('button', { name: 'Continue to pay ₦5,000.00' }).click()
        await page.getByRole('heading', { name: 'Paystack' }).waitFor()
        await page.getByRole('link', { name: 'Pay and return' }).click()
        await heading(page, 'Continue to enter your card')
        await shoot(page, `page-return-${script}`)
        await news.payAtPaystack(session)
        await heading(page, 'Payment complete')
      },
      { script },
    )
    assert.equal(seen.scripts, 0)
    assert.equal(await stack.finished('checkout', session.checkout_id), 'completed')
  })
}

test('where Stripe’s script is blocked the page says so, tries again, and other methods stay', async () => {
  const session = await sell({ payment_method_options: null })
  const state = { isBlocked: true }
  const seen = await visit(
    session,
    async (page) => {
      await ours(page).getByText('The card form did not load.').waitFor()
      await assertReadable(page, 'lost')
      await shoot(page, 'blocked')
      await paying(page).click()
      assert.equal(
        await ours(page)
          .getByRole('button', { name: 'Try again' })
          .evaluate((it) => it.matches(':focus')),
        true,
      )
      await ours(page).getByRole('button', { name: 'Try again' }).click()
      await ours(page).getByText('The card form did not load.').waitFor()
      assert.ok((await page.getByLabel('Pay in').locator('option').count()) > 1, 'other methods are still there')
      state.isBlocked = false
      await ours(page).getByRole('button', { name: 'Try again' }).click()
      await enter(page, '4242424242424242')
      await paying(page).click()
      await heading(page, 'Payment complete')
    },
    { isBlocked: () => state.isBlocked },
  )
  assert.equal(seen.scripts, 3)
})

test('without a script the page says that the card form needs one, and another method pays', async () => {
  const session = await sell({ payment_method_options: null })
  await visit(
    session,
    async (page) => {
      await shoot(page, 'no-script')
      assert.match(await page.locator('.frame .notice').innerText(), /^The card form needs JavaScript\./)
      await page.locator('button[value=pay]:not(.unseen)').click()
      await page.locator('.error', { hasText: 'Enter your card details.' }).waitFor()
      await payIn(page, 'NGN')
      await choose(page, 'Bank transfer')
      await page.locator('button[value=pay]:not(.unseen)').click()
      await heading(page, 'Send a bank transfer')
    },
    { script: false },
  )
  await merchant.cancel(session.checkout_id)
})

test('another currency has another card form, and the way back opens Stripe’s field again', async () => {
  const session = await sell({ payment_method_options: { card: {} } })
  await visit(session, async (page) => {
    await enter(page, '4242424242424242')
    await payIn(page, 'NGN')
    await page.getByText('You enter your card on our payment provider’s page next.').waitFor()
    assert.equal(await page.locator('iframe').count(), 0)
    await payIn(page, 'USD')
    await enter(page, '4242424242424242')
    await paying(page).click()
    await heading(page, 'Payment complete')
  })
})

test('a saved card asks for its security code in Stripe’s field, and another card has its own', async () => {
  const customer = await newCustomer(merchant)
  const saving = await merchant.createCheckout({ ...setup, customer: { id: customer } })
  await visit(saving, async (page) => {
    await enter(page, '4242424242424242')
    await page.getByRole('button', { name: 'Save card' }).click()
    await heading(page, 'Check and save')
    await page.getByRole('button', { name: 'Save card' }).click()
    await heading(page, 'Your card is saved')
  })
  const session = await sellTo(merchant, customer, { payment_method_options: { card: { currencies: ['USD'] } } })
  await visit(session, async (page) => {
    assert.ok(await page.getByRole('radio', { name: 'Visa ••4242' }).isChecked())
    await input(page, 'cardCvc', 'Security code').waitFor()
    assert.equal(await page.locator('iframe').count(), 1, 'only the chosen method opens its field')
    await shoot(page, 'saved')
    await paying(page).click()
    await ours(page, 'Security code').getByText('Enter the 3 or 4 digits').waitFor()
    await choose(page, 'Another card')
    await input(page, 'cardNumber').waitFor()
    await choose(page, 'Visa ••4242')
    await input(page, 'cardCvc', 'Security code').fill('123')
    await paying(page).click()
    await heading(page, 'Payment complete')
  })
  const [row] = await stack.sql<{ id: string | null }>(
    'select saved_method_id as id from payments where checkout_id = ?',
    [session.checkout_id],
  )
  assert.match(row?.id ?? '', /^pm_/)
})

test('the code of the guide takes a card on a page of the merchant, and pays', async () => {
  const session = await sell()
  const block = docBlocks.find(({ page, language }) => page === 'docs/guides/checkout.md' && language === 'js')
  const code = String(block?.text).replace('// when the buyer presses the button:', 'await pressed')
  const page = await open.browser.newPage()
  await serveStripeJs(page, stripe)
  await page.goto(open.shopUrl())
  await page.addScriptTag({ url: 'https://js.stripe.com/v3/' })
  await page.setContent('<label for="card">Card</label><div id="card"></div><button>Pay</button>')
  const { checkout_id, client_secret } = session
  const at = `${stack.baseUrl}/v1/checkout-sessions/${checkout_id}`
  const paid = page.evaluate(`(async () => {
    const headers = { authorization: 'Bearer ${client_secret}', 'content-type': 'application/json' }
    const [offer] = (await (await fetch('${at}/public', { headers })).json()).payment_methods
    const pressed = new Promise((resolve) => document.querySelector('button').addEventListener('click', resolve))
    const pay = (body) => fetch('${at}/pay', { method: 'post', headers, body: JSON.stringify(body) })
    ${code}
  })()`)
  await page.frameLocator('#card iframe').locator('input').fill('4242424242424242 1240 123')
  await page.getByRole('button', { name: 'Pay' }).click()
  await paid
  assert.equal(await stack.finished('checkout', checkout_id), 'completed')
  await page.close()
})

test('only the frame of the field may load from Stripe; all other pages keep their policy, byte for byte', async () => {
  const plain =
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; " +
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
  const headersOf = async (address: string) => {
    const { headers } = await fetch(address)
    return ['content-security-policy', 'x-frame-options', 'referrer-policy'].map((name) => headers.get(name))
  }
  const [withField, withPage] = [await sell(), await sell(inNaira)]
  const sandbox = await open.createCheckout()
  for (const { checkout_url } of [withPage, sandbox])
    assert.deepEqual(await headersOf(open.pages.addressOf(checkout_url)), [plain, 'DENY', 'no-referrer'])
  for (const path of ['/', '/checkout/chk_nothing', '/dashboard/login'])
    assert.equal((await headersOf(open.pages.base + path))[0], plain, path)
  const holds = `${plain}; frame-src 'self'`
  assert.deepEqual(await headersOf(open.pages.addressOf(withField.checkout_url)), [holds, 'DENY', 'no-referrer'])
  assert.deepEqual(await headersOf(`${open.pages.base}/checkout-card-field?kind=card&lang=en`), [
    "default-src 'none'; style-src 'self'; script-src 'self' https://js.stripe.com https://*.js.stripe.com; " +
      "img-src 'self'; connect-src https://api.stripe.com; form-action 'self'; base-uri 'none'; " +
      "frame-src https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com; frame-ancestors 'self'",
    'SAMEORIGIN',
    'no-referrer',
  ])
  await merchant.pay(withField, { payment_method: 'USD_CARD', card: { token: stripe.addCard() }, confirm: true })
  assert.equal((await headersOf(open.pages.addressOf(withField.checkout_url)))[0], plain, 'a receipt has no field')
  await Promise.all([merchant.cancel(withPage.checkout_id), open.stack.merchant.cancel(sandbox.checkout_id)])
})

test('the page of the frame does nothing by itself, and takes no language or kind that is not one', async () => {
  for (const query of [
    '',
    '?kind=card&lang=en',
    '?kind=<script>&lang=constructor',
    '?kind=code&kind=card&lang=fr&lang=sw',
  ]) {
    const answer = await fetch(`${open.pages.base}/checkout-card-field${query}`)
    assert.equal(answer.status, 200)
    assert.doesNotMatch(await answer.text(), /<script>|pk_live/)
  }
  const page = await open.browser.newPage()
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).origin))
  await page.goto(`${open.pages.base}/checkout-card-field?kind=card&lang=en`)
  await page.waitForLoadState('networkidle')
  assert.deepEqual([...new Set(asked)], [open.pages.base])
  await page.close()
})

for (const code of languageCodes) {
  test(`${code}: the field, its errors, and the way to Paystack are in the language of the session`, async () => {
    const words = catalogues[code]
    const session = await sell({ locale: code })
    await visit(session, async (page) => {
      const frame = ours(page, words['method.card'])
      await frame.getByText(words['card.number'], { exact: true }).waitFor()
      await page.locator('button[value=pay]:not(.unseen)').click()
      await frame.getByText(words['wrong.number']).waitFor()
    })
    const naira = await sell({ ...inNaira, locale: code })
    await visit(naira, async (page) => void (await page.getByText(words['card.page']).waitFor()))
    await Promise.all([session, naira].map(({ checkout_id }) => merchant.cancel(checkout_id)))
  })
}
