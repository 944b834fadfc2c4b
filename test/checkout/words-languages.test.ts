import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { IntlMessageFormat } from 'intl-messageformat'
import { ROOT } from '../../scripts/infra/paths.ts'
import { languageCodes } from '../../domain/language.ts'
import { rateWords } from '../../web/checkout/offer.ts'
import { refusalWords } from '../../web/checkout/problems.ts'
import { english, languageIn, readerOf } from '../../web/language.ts'
import { catalogues, type WordKey } from '../../web/words/catalogues.ts'

// Every text that a buyer reads is in the catalogues, in each language, with the same insertions.

const read = (file: string) => readFileSync(`${ROOT}/${file}`, 'utf8')
const keys = Object.keys(catalogues.en) as WordKey[]
const others = languageCodes.filter((code) => code !== 'en')

/** Templates at the top that are not for buyers. */
const notForBuyers = /\/(errors|home|notice|spans)\.eta$/
const templates = globSync(['web/templates/*.eta', 'web/templates/portal/*.eta'], { cwd: ROOT }).filter(
  (file) => !notForBuyers.test(file),
)
/** The code of the pages for buyers: the sale, and subscriptions with their invoices. */
const sources = [
  ...globSync(['web/checkout/*.ts', 'web/subscription/*.ts'], { cwd: ROOT }),
  'web/language.ts',
  'web/problems.ts',
  'web/token-site.ts',
  'web/unread-page.ts',
]

type Element = {
  type: number
  value?: unknown
  options?: Record<string, { value: Element[] }>
  children?: Element[]
}

/** What is inserted into a message: the names of its values and tags, and the choices of each `select`. */
function insertionsOf(text: string, code: string): string[] {
  const found = new Set<string>()
  const collect = (elements: Element[]) => {
    for (const { type, value, options, children } of elements) {
      if (type === 0 || type === 7) continue // plain text, and the number of a plural
      const choices = type === 5 ? Object.keys(options ?? {}).toSorted() : []
      found.add(`${type}:${String(value)}:${choices.join()}`)
      for (const option of Object.values(options ?? {})) collect(option.value)
      collect(children ?? [])
    }
  }
  collect(new IntlMessageFormat(text, code).getAst() as Element[])
  return [...found].toSorted()
}

for (const code of languageCodes) {
  test(`${code}: every text of the catalogue is there, can be read, and has the insertions of the English one`, () => {
    assert.deepEqual(Object.keys(catalogues[code]).toSorted(), keys.toSorted())
    for (const key of keys) {
      assert.deepEqual(insertionsOf(catalogues[code][key], code), insertionsOf(catalogues.en[key], 'en'), key)
      assert.doesNotMatch(catalogues[code][key], /[&"]|<(?!\/?b>)/, `${key}: a text is put into HTML as it is`)
    }
  })
}

test('cents are named only for an amount that has some: several currencies have none', () => {
  const cents = /\bcents?\b|centime|cêntimo|\bsenti\b/i
  for (const code of languageCodes) {
    const found = keys.filter((key) => cents.test(catalogues[code][key]))
    assert.deepEqual(found, ['wrong.amount.point'], code)
  }
})

test('the other languages are translated: only names and words that they share are the same', () => {
  const words = 'total|subtotal|code|confirmation|date|questions|transaction'
  const shared = new RegExp(`^(${words}|method\\.(mobile_money|crypto)|card\\.expiry\\.form|bills\\.pdf)$`)
  for (const code of others) {
    const same = keys.filter((key) => catalogues[code][key] === catalogues.en[key] && !shared.test(key))
    assert.deepEqual(same, [], code)
  }
})

/** The text of a template outside of its code, with the attributes that people read. */
function bareTextOf(template: string): string {
  const html = template.replaceAll(/<%[\s\S]*?%>/g, '')
  const attributes = [...html.matchAll(/\s(?:aria-label|alt|title|placeholder)="([^"]*)"/g)].map(([, text]) => text)
  return [html.replaceAll(/<[^>]*>/g, ' '), ...attributes].join(' ')
}

/** The quoted texts of code, without its comments. */
const quotedIn = (code: string): string[] =>
  [...code.replaceAll(/\/\*[\s\S]*?\*\/|(^|\s)\/\/.*/g, '').matchAll(/'([^'\n]*)'|`([^`]*)`/g)].map(([, one, two]) =>
    (one ?? two ?? '').replaceAll(/\$\{[^}]*\}/g, '…'),
  )
/** A word with a capital, or two words: a text for people. */
const isProse = (text: string): boolean => /(^|\s)[A-Z][a-z]{2,}/.test(text) || /(^|\s)[a-z]{3,} [a-z]{2,}/.test(text)

test('no template has a text of its own', () => {
  assert.ok(templates.length > 40)
  assert.match(bareTextOf(read('web/templates/onboarding/stopped.eta')), /Nothing was changed/)
  const bare = templates.filter((file) => /\p{L}{2,}/u.test(bareTextOf(read(file))))
  assert.deepEqual(bare, [])
  const quoted = templates.flatMap((file) =>
    [...read(file).matchAll(/<%[\s\S]*?%>/g)].flatMap(([code]) => quotedIn(code).filter(isProse)),
  )
  assert.deepEqual(quoted, [])
})

test('neither the pages’ code nor their script has a text of its own', () => {
  // Names of methods, which are the same in all languages, and errors of fields, which no buyer reads.
  const code = [...sources, 'web/assets/checkout.js'].filter((file) => !/\/(check|marks)\.ts$/.test(file))
  const found = code.flatMap((file) => quotedIn(read(file)).filter(isProse))
  // Headers of HTTP, places in a page, and conditions of a style sheet.
  const headers = 'Location|Accept-Language|Cache-Control|Referrer-Policy|Content-Disposition'
  const allowed = new RegExp(`^(${headers}|main form\\b.*|…\\\\n@media screen and .*)$`)
  assert.deepEqual(
    found.filter((text) => !allowed.test(text)),
    [],
  )
})

test('every text is used, and every text that a template asks for exists', () => {
  const all = [...templates, ...sources, 'web/names.ts'].map(read).join('\n')
  const begun = [...all.matchAll(/`([a-z]+\.)\$\{/g)].map(([, start]) => start ?? '')
  const unused = keys.filter((key) => !all.includes(`'${key}'`) && !begun.some((start) => key.startsWith(start)))
  assert.deepEqual(unused, [])
  const asked = templates.flatMap((file) =>
    [...read(file).matchAll(/(?:say|html)\(([^)]*?)[,)]/g)].flatMap(([, what = '']) => quotedIn(what)),
  )
  assert.ok(asked.length > 100)
  const isText = (text: string): boolean => text.includes('…') || keys.some((key) => key === text)
  assert.deepEqual(
    asked.filter((text) => !isText(text) && text !== '' && text !== '.details' && text !== 'card' && text !== 'way'),
    [],
  )
})

const readerFor = (accept: string, locale: string | null = null) => {
  const accepted = accept.split(',').map((one) => one.split(/[;-]/)[0])
  const ctx = {
    acceptsLanguages: (offered: string[]) => accepted.find((one) => offered.includes(one ?? '')) ?? false,
    get: () => accept,
  }
  return readerOf(ctx as unknown as Parameters<typeof readerOf>[0], locale)
}

test('the session’s language comes first, then the browser’s; who reads none of ours gets English', () => {
  const codeOf = (accept: string, locale: string | null = null) => readerFor(accept, locale).language.code
  assert.equal(codeOf('fr', 'sw-KE'), 'sw')
  assert.equal(codeOf('fr', 'PT'), 'pt')
  assert.equal(codeOf('fr', 'swa'), 'sw')
  assert.equal(codeOf('fr-CI,en', 'de'), 'fr')
  assert.equal(codeOf('de,pt;q=0.5'), 'pt')
  assert.equal(codeOf('de'), 'en')
  assert.equal(codeOf(''), 'en')
  assert.equal(codeOf('constructor', 'toString'.slice(0, 2)), 'en')
  // Amounts are typed as the page writes them; who reads English for want of another keeps their own decimal mark.
  assert.equal(readerFor('en', 'fr').mark, ',')
  assert.equal(readerFor('fr', 'en').mark, '.')
  assert.equal(readerFor('de').mark, ',')
  for (const accept of ['ar,fr;q=0.8', 'ar,pt;q=0.8']) assert.equal(readerFor(accept).mark, ',', accept)
  assert.equal(readerFor('ar,sw;q=0.8').mark, '.')
})

test('amounts have the symbol that people write, in the form of the language, and stay exact', () => {
  const space = (text: string) => text.replaceAll(/\s/g, ' ')
  const rows: [string, string, string, string, string][] = [
    ['5000', 'NGN', '₦5,000.00', '5 000,00 ₦', '₦5,000.00'],
    ['12.5', 'GHS', 'GH₵12.50', '12,50 GH₵', 'GH₵12.50'],
    ['1000', 'KES', 'KSh 1,000.00', '1 000,00 KSh', 'KSh 1,000.00'],
    ['25', 'USD', '$25.00', '25,00 $', '$25.00'],
    ['1234567', 'XOF', 'CFA 1,234,567', '1 234 567 CFA', 'CFA 1,234,567'],
    ['12345678901234567890.12', 'NGN', '₦12,345,678,901,234,567,890.12', '12 345 678 901 234 567 890,12 ₦', ''],
  ]
  for (const [amount, currency, inEnglish, inFrench, inSwahili] of rows) {
    assert.equal(space(english.money(amount, currency)), inEnglish)
    assert.equal(space(readerFor('fr').language.money(amount, currency)), inFrench)
    assert.equal(space(readerFor('pt').language.money(amount, currency)), inFrench)
    if (inSwahili) assert.equal(space(readerFor('sw').language.money(amount, currency)), inSwahili)
  }
  assert.equal(english.money('5', 'XYZ'), '5\u00a0XYZ')
  assert.equal(space(english.codedMoney('5000', 'NGN')), '₦5,000.00 NGN')
})

test('names that others have chosen are neither markup nor insertions', () => {
  const merchant = '<b>{amount}</b> & "Co"’s <img src=x>'
  assert.equal(english.say('title.pay', { merchant }), `Pay ${merchant}`)
  const safe = '&lt;b&gt;{amount}&lt;/b&gt; &amp; &quot;Co&quot;’s &lt;img src=x&gt;'
  assert.equal(
    english.html('paid.received', { merchant, amount: '$1.00' }),
    `${safe} has received your payment of <strong>$1.00</strong>.`,
  )
})

test('a name that is written from right to left does not turn the sentence around it', () => {
  const merchant = 'محل (ABC) 12'
  assert.equal(english.say('title.pay', { merchant }), `Pay \u2068${merchant}\u2069`)
  assert.match(english.html('paid.received', { merchant, amount: '$1.00' }), new RegExp(`^\u2068.*\u2069 has received`))
  assert.equal(english.say('title.pay', { merchant: 'Ünal (ABC) 12' }), 'Pay Ünal (ABC) 12')
})

test('buyers read six digits of an exchange rate, and whether it has more', () => {
  const words = (rate: string | null, code: (typeof languageCodes)[number] = 'en') =>
    rateWords(languageIn(code), { from: 'CAD', to: 'JPY', rate })?.replaceAll(/[\u00a0\u202f]/g, ' ')
  assert.equal(words('1600'), '1 CAD = 1,600 JPY')
  assert.equal(words('109.48905109489'), '1 CAD ≈ 109.489 JPY')
  assert.equal(words('0.00062345678901234'), '1 CAD ≈ 0.000623457 JPY')
  assert.equal(words('1612345.678'), '1 CAD ≈ 1,612,346 JPY')
  assert.equal(words('1612.34567', 'fr'), '1 CAD ≈ 1 612,35 JPY')
  assert.equal(words(null), undefined)
})

test('a refusal that no other try can change says so, instead of calling a form the state of the payment', () => {
  const refused = (code?: string) => ({
    status: 409,
    code: 'CONFLICT',
    errors: code ? [{ field: 'body', message: 'is refused', type: 'value_error', code }] : [],
    waitSeconds: null,
  })
  assert.match(
    refusalWords(english, refused('payment_link_sold_out')),
    /^Someone else has bought the last one.* charged/,
  )
  assert.match(refusalWords(english, refused('too_many_attempts')), /^No more attempts can be made on this page\./)
  assert.equal(refusalWords(english, refused()), english.say('problem.state'))
})
