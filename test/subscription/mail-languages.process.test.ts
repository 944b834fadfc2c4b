import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { IntlMessageFormat } from 'intl-messageformat'
import { type MailKey, mailLanguageOf, mailWords } from '../../activities/subscription/mail-language.ts'
import { type MailSubject, writeMail } from '../../activities/subscription/mail-text.ts'
import type { SubscriptionMail } from '../../db/subscription/mail.ts'
import { type LanguageCode, languageCodes } from '../../domain/language.ts'
import { subscriptionMails } from '../../domain/subscription/mail.ts'
import { hostileName, locales } from '../support/languages.ts'
import { subscriptionsOf } from '../support/subscription.ts'
import { useStack } from '../support/use-stack.ts'

// Mails to customers in their language. With SHOTS=folder each is saved as a page.

const shots = process.env['SHOTS']
if (shots) mkdirSync(shots, { recursive: true })
const stack = await useStack({ skipping: true, invariants: 'after each test' })
const plans = subscriptionsOf(stack)
const dayMs = 86_400_000
const keys = Object.keys(mailWords.en) as MailKey[]

type Email = { to: string; subject: string; text: string }
const plain = (text: string | undefined) => (text ?? '').replaceAll(/\s/g, ' ')

/** The mails to an address, oldest first. */
async function mailsTo(address: string): Promise<Email[]> {
  const { items } = await plans.ok<{ items: Email[] }>('GET', '/v1/test-helpers/emails?limit=100')
  return items.filter(({ to }) => to === address).toReversed()
}

/** The first words of a text, before what is inserted. */
const startOf = (code: LanguageCode, key: MailKey): string => mailWords[code][key].split('{')[0] ?? ''

type Element = { type: number; value?: string; options?: Record<string, { value: Element[] }> }
const insertionsOf = (text: string): string[] =>
  (new IntlMessageFormat(text, 'en').getAst() as Element[]).flatMap(({ type, value }) =>
    type === 0 ? [] : [`${type}:${value}`],
  )

test('every text of a mail is there in each language, translated, with the insertions of the English one', () => {
  for (const code of languageCodes) {
    assert.deepEqual(Object.keys(mailWords[code]).toSorted(), keys.toSorted())
    for (const key of keys) {
      const text = mailWords[code][key]
      assert.deepEqual(insertionsOf(text).toSorted(), insertionsOf(mailWords.en[key]).toSorted(), `${code}: ${key}`)
      assert.doesNotMatch(text, /['<>]/, `${code}: ${key}`)
      if (code !== 'en') assert.notEqual(text, mailWords.en[key], `${code}: ${key}`)
    }
  }
})

for (const code of languageCodes) {
  test(`${code}: a customer is told of a trial, a payment and the end in the language of the sale`, async () => {
    const address = `${code}@example.com`
    const trial = { recurring: { interval: 'month', interval_count: 3, trial_days: 14 } }
    const session = { locale: locales[code], customer: { email: address, name: 'Ngozi' } }
    const { subscription_id: id } = await plans.subscribe({ product: trial, session })
    await stack.skip(15.5 * dayMs)
    await plans.mailed(id, 2)
    await plans.act(id, 'cancel', { at_period_end: false })
    await plans.mailed(id, 3)
    const [ending, receipt, ended] = await mailsTo(address)
    const { day } = mailLanguageOf(code)
    const { trial_end: end } = await plans.read(id)
    assert.ok(ending?.subject.startsWith(startOf(code, 'trial.subject')), String(ending?.subject))
    assert.ok(ending?.subject.endsWith(day(new Date(String(end)))), String(ending?.subject))
    assert.ok(ending?.text.startsWith(mailWords[code].hello.replace('{name}', 'Ngozi')))
    const amount = code === 'fr' || code === 'pt' ? '25,00 $ USD' : '$25.00 USD'
    const rhythm = { en: 'every 3 months', fr: 'tous les 3 mois', sw: 'kila miezi 3', pt: 'a cada 3 meses' }[code]
    assert.ok(plain(ending?.text).includes(amount) && ending?.text.includes(rhythm), String(ending?.text))
    assert.ok(receipt?.subject.startsWith(startOf(code, 'receipt.subject')), String(receipt?.subject))
    assert.ok(plain(receipt?.text).includes(amount), String(receipt?.text))
    assert.match(receipt?.text ?? '', new RegExp(`${mailWords[code]['see.invoice']}: http.+/invoice/`))
    assert.ok(ended?.text.includes(mailWords[code]['canceled.nothing']), String(ended?.text))
  })
}

test('a mail is in the language that its customer has when it is sent, whatever that of the sale was', async () => {
  const address = 'changes@example.com'
  const session = { locale: 'fr-CI', customer: { email: address, name: 'Awa' } }
  const { subscription_id: id, customer } = await plans.subscribe({ session })
  let sent = 1
  const renewed: [unknown, LanguageCode][] = [
    ['pt-MZ', 'pt'],
    ['sw', 'sw'],
    ['de-DE', 'fr'], // a language that is not ours: that of the sale
    [null, 'fr'],
  ]
  await plans.mailed(id, sent)
  for (const [locale, code] of renewed) {
    assert.equal((await plans.ok('PATCH', `/v1/customers/${customer.id}`, { locale }))['locale'], locale)
    await stack.skip(31.2 * dayMs)
    await plans.mailed(id, (sent += 1))
    const newest = (await mailsTo(address)).at(-1)
    assert.ok(newest?.subject.startsWith(startOf(code, 'receipt.subject')), `${String(locale)}: ${newest?.subject}`)
  }
  const [row] = await stack.sql<{ count: string }>(
    'select count(*) from subscription_mails where subscription_id = ?',
    [id],
  )
  assert.equal(row?.count, String(renewed.length + 1))
})

test('a sale that names no language, or one that is not ours, is written about in English', async () => {
  for (const [local, session] of [
    ['none', {}],
    ['german', { locale: 'de-DE' }],
  ] as const) {
    const customer = { email: `${local}@example.com`, name: 'Jo' }
    const { subscription_id: id } = await plans.subscribe({ session: { ...session, customer } })
    await plans.mailed(id, 1)
    const [receipt] = await mailsTo(`${local}@example.com`)
    assert.ok(receipt?.subject.startsWith('Your receipt from '), String(receipt?.subject))
  }
})

/** What a mail is about, of hostile names and an amount; `more` is what else the subscription has. */
const about = (currency: string, amount: string, more: object = {}, lineItems: object[] = []): MailSubject => {
  const at = new Date(Date.UTC(2026, 2, 1))
  const subscription = {
    currency,
    amount,
    interval: 'month',
    intervalCount: 1,
    trialEnd: at,
    endedAt: at,
    nextPaymentAttemptAt: at,
    status: 'active',
    lineItems: [{ product_name: hostileName, quantity: 2 }],
    ...more,
  }
  const invoice = {
    currency,
    lineItems,
    total: amount,
    number: 'INV-000001',
    periodStart: at,
    periodEnd: at,
    dueAt: at,
    pageKey: 'k',
  }
  const merchant = { displayName: `${hostileName}\nBcc: x@example.com`, supportEmail: 'help@example.com' }
  const customer = { email: 'ada@example.com', name: hostileName }
  const publicUrl = 'https://pay.example.com'
  return { subscription, customer, invoice, payment: null, card: null, merchant, publicUrl } as unknown as MailSubject
}

test('names are neither markup nor insertions nor headers, in every mail and language', () => {
  for (const code of languageCodes) {
    for (const kind of subscriptionMails) {
      const row = { id: 'mail_1', kind } as SubscriptionMail
      const { subject, text, html = '' } = writeMail(row, about('NGN', '5000'), mailLanguageOf(code))
      if (shots) writeFileSync(`${shots}/mail-${kind}-${code}.html`, html)
      assert.doesNotMatch(subject, /[\r\n]/)
      assert.ok(text.includes(`2 × ${hostileName}`), text)
      assert.ok(html.includes(`<html lang="${code}">`))
      assert.doesNotMatch(html.replaceAll(/<\/?(!doctype html|html|head|meta|body|p|a)\b[^<>]*>/g, ''), /[<>]/)
      assert.ok(html.includes('&lt;b&gt;{amount}&lt;/b&gt; &amp; &quot;Co&quot; &lt;img src=x onerror=alert(1)&gt;'))
      assert.doesNotMatch(text, /undefined|NaN|\[object/)
    }
  }
})

test('the end of a trial is announced with the plan that is charged then, if any: not if it pauses or is free', () => {
  const row = { id: 'mail_1', kind: 'trial_ending' } as SubscriptionMail
  const pendingPlan = { amount: '70000', interval: 'year', intervalCount: 1 }
  for (const code of languageCodes) {
    const language = mailLanguageOf(code)
    const write = (more: object) => plain(writeMail(row, about('NGN', '5000', { pendingPlan, ...more }), language).text)
    const [amount, rhythm] = [language.money('70000', 'NGN'), language.say('rhythm.year', { count: 1 })]
    const text = write({})
    assert.ok(text.includes(plain(language.say('trial.then', { amount, rhythm }))), text)
    for (const more of [{ pauseAtPeriodEnd: true }, { cancelAtPeriodEnd: true }, { pendingPlan: null, amount: '0' }])
      assert.doesNotMatch(write(more), /NGN/)
  }
})

test('the end of a trial names the fee where its customer bears it, and the currency of the card', () => {
  const row = { id: 'mail_1', kind: 'trial_ending' } as SubscriptionMail
  for (const code of languageCodes) {
    const language = mailLanguageOf(code)
    const [price, rhythm] = [language.money('5000', 'NGN'), language.say('rhythm.month', { count: 1 })]
    for (const feePreference of ['customer_pays', 'org_pays']) {
      for (const [corridor, currency, collection] of [
        ['USD_CARD', 'USD', 'automatic'],
        ['NGN_CARD', 'none', 'automatic'],
        [null, 'none', 'automatic'],
        [null, 'none', 'invoice'],
      ] as const) {
        const subject = { ...about('NGN', '5000', { feePreference, collection }), card: corridor && { corridor } }
        const fee = collection === 'automatic' && feePreference === 'customer_pays' ? 'yes' : 'no'
        const amount = language.say('trial.charge', { amount: price, fee, currency })
        const { text } = writeMail(row, subject, language)
        assert.ok(plain(text).includes(plain(language.say('trial.then', { amount, rhythm }))), text)
        assert.equal(text.includes('USD'), currency === 'USD', text)
      }
    }
  }
  const english = {
    ...about('NGN', '5000', { feePreference: 'customer_pays', collection: 'automatic' }),
    card: { corridor: 'USD_CARD' as const },
  }
  const words = 'Then ₦5,000.00 NGN plus the payment fee (in USD at the rate of that day) is charged each month'
  assert.ok(plain(writeMail(row, english, mailLanguageOf('en')).text).includes(words))
})

test('a mail about a failed charge names what was tried to be charged: with the fee, in the card’s currency', () => {
  const row = { id: 'mail_1', kind: 'payment_failed' } as SubscriptionMail
  const payment = { amount: '3.71', amountReceived: '0', currency: 'USD' as const }
  const subject = { ...about('NGN', '5000', { collection: 'automatic' }), payment }
  const { text } = writeMail(row, subject, mailLanguageOf('en'))
  assert.match(plain(text), /We could not collect \$3\.71 USD for /)
  assert.match(
    plain(writeMail(row, { ...subject, payment: null }, mailLanguageOf('en')).text),
    /collect ₦5,000\.00 NGN/,
  )
})

test('who pays invoices themselves is reminded of it, and not told that a charge failed or is tried again', () => {
  const row = { id: 'mail_1', kind: 'payment_failed' } as SubscriptionMail
  const at = new Date(Date.UTC(2026, 4, 6))
  const moments = { nextPaymentAttemptAt: null, collection: 'invoice' }
  for (const code of languageCodes) {
    const language = mailLanguageOf(code)
    const write = (more: object) => writeMail(row, about('NGN', '5000', { ...moments, ...more }), language)
    const next = write({ nextPaymentAttemptAt: at })
    assert.ok(next.subject.startsWith(startOf(code, 'unpaid.subject')), next.subject)
    assert.ok(next.text.includes(language.say('unpaid.again', { day: language.day(at) })), next.text)
    for (const { text } of [next, write({ dunningEndsAt: at }), write({}), write({ status: 'canceled' })]) {
      assert.ok(text.includes('INV-000001') && text.includes('/invoice/k'), text)
      for (const key of ['failed.what', 'failed.over', 'failed.again', 'failed.until'] as const)
        assert.ok(!text.includes(startOf(code, key)), text)
    }
  }
})

test('a mail about an invoice names the plan that it bills, whatever plan the subscription has by now', () => {
  const line = (kind: string, name: string, quantity = 1) => ({ kind, product_name: name, quantity })
  const credit = line('credit', 'Credit')
  for (const kind of ['invoice', 'receipt', 'payment_failed'] as const) {
    const row = { id: 'mail_1', kind } as SubscriptionMail
    for (const collection of ['automatic', 'invoice']) {
      const write = (...lines: object[]) =>
        writeMail(row, about('NGN', '9000', { collection }, lines), mailLanguageOf(null)).text
      const next = write(line('plan', 'Pro', 3), line('plan', 'Extra'), credit)
      assert.ok(next.includes(' for 3 × Pro, Extra') && !next.includes(`2 × ${hostileName}`), next)
      assert.match(write(line('unused', 'Unused time of Basic'), line('plan', 'Pro')), / for Pro/)
      assert.match(
        write(line('unused', 'Unused time of Basic'), line('remaining', 'Remaining time of Pro')),
        / for Pro/,
      )
      assert.ok(write(credit).includes(`2 × ${hostileName}`), 'one without a plan is of the subscription')
    }
  }
})

test('amounts in mails have the form of the language, exact at any size: naira, shillings and francs', () => {
  const amounts: [string, string, string, string][] = [
    ['NGN', '12345678901234567890.12', '₦12,345,678,901,234,567,890.12 NGN', '12 345 678 901 234 567 890,12 ₦ NGN'],
    ['KES', '1000', 'KSh 1,000.00 KES', '1 000,00 KSh KES'],
    ['XOF', '1500', 'CFA 1,500 XOF', '1 500 CFA XOF'],
  ]
  const row = { id: 'mail_1', kind: 'invoice' } as SubscriptionMail
  for (const [currency, amount, first, second] of amounts) {
    for (const code of languageCodes) {
      const { text } = writeMail(row, about(currency, amount), mailLanguageOf(code))
      assert.ok(plain(text).includes(code === 'en' || code === 'sw' ? first : second), `${code}: ${text}`)
    }
  }
})

test('a locale that is none is refused: a customer keeps theirs', async () => {
  const made = await plans.ok('POST', '/v1/customers', { email: 'locale@example.com', name: 'Jo', locale: 'fr-CI' })
  assert.equal(made['locale'], 'fr-CI')
  const path = `/v1/customers/${String(made['customer_id'])}`
  for (const locale of ['', 'f', 'fr_CI', 'français', '<b>', 'fr-CI-'.padEnd(30, 'x'), 7]) {
    const reply = await stack.merchant.call('PATCH', path, { locale })
    assert.equal(reply.status, 400, String(locale))
  }
  assert.equal((await plans.ok('PATCH', path, { name: 'Jo' }))['locale'], 'fr-CI')
  const events = await stack.sql("select from events where type = 'customer.updated' and resource_id = ?", [
    made['customer_id'],
  ])
  assert.equal(events.length, 0, 'nothing has changed')
})
