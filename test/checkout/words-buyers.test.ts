import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { ROOT } from '../../scripts/infra/paths.ts'

// Buyers read short sentences in ordinary words, in the order of what they do next. Each of these was reworded once.

const files = [
  ...globSync('web/templates/*.eta', { cwd: ROOT }),
  ...globSync('web/{checkout/*,checkout/words/en*,subscription/words/en,words/en,words,names}.ts', {
    cwd: ROOT,
  }).filter(
    (file) => file !== 'web/checkout/marks.ts', // brands' own words
  ),
  'web/assets/checkout.js',
]
/** A text in one line, with plain apostrophes and without what is filled in. */
const plain = (text: string) =>
  text
    .replaceAll(/' \+\s*'/g, '')
    .replaceAll(/<%=\s*[\w.]+\s*%>|\{\w+\}/g, '…')
    .replaceAll('’', "'")
    .replaceAll(/\s+/g, ' ')
const sources = files.map((file) => ({ file, text: plain(readFileSync(`${ROOT}/${file}`, 'utf8')) }))

/** What a page said, and what it says now. */
const rows: [string, string][] = [
  ['This page is open until', 'This page expires at'],
  ['Way to pay', "'Payment method'"],
  ['You see the total once more before you pay', "You'll review the total before paying."],
  ['We ask for the money on your phone', "We'll send a request to your phone"],
  ['Phone number of your wallet', 'Mobile money number'],
  ['you decide', 'Choose your amount'],
  ["'free',", "'Free',"],
  ['Keep what I chose before', 'Back to my previous choice'],
  ['Nothing is charged before you confirm', "You won't be charged until you confirm."],
  ['This price is held for you', 'This price is locked in.'],
  ['The rate is held when you continue', 'The rate is locked when you continue.'],
  ['wants to be sure that it is you', "Your bank needs to verify it's you."],
  ['No code has come?', "Didn't get a code?"],
  ['Enter the code of your wallet', 'Enter your wallet code'],
  ['gives out a code', 'provides a code for this payment'],
  ['asks you there for', 'will ask you to approve'],
  ['Nothing on your phone?', 'No prompt on your phone?'],
  ['more than was asked for', 'more than the amount due'],
  ['has received it too', 'also received the extra'],
  ['You are taken back to', 'Returning to'],
  ['as you have agreed with them', 'under your agreement'],
  ['To withdraw, tell', 'To withdraw consent, contact'],
  ['will hear of it as', "we'll notify … when it arrives"],
  ['how it goes on', 'what happens next'],
  ['cannot be bought for so much', 'This amount is too high.'],
  ['Too many tries', 'Too many attempts. Try again in'],
  ['That was not possible any more', "That's no longer possible."],
  // Said also where the network had answered, and where the same order will never go through.
  ['The payment network could not be reached', 'The payment network did not accept the payment.'],
  ['opened the whole link, to its last letter', 'Check that the link is complete.'],
]
for (const [before, now] of rows) {
  test(`buyers read “${now}”, and no longer “${before}”`, () => {
    const stale = sources.filter(({ text }) => text.includes(before))
    assert.deepEqual(
      stale.map(({ file }) => file),
      [],
    )
    assert.ok(
      sources.some(({ text }) => text.includes(now)),
      `no page says “${now}”`,
    )
  })
}

test('no page for buyers uses the patterns of the old sentences', () => {
  const patterns = [
    /is held for you/i,
    /to be sure that/i,
    /once more before/i,
    /\b(are|is) asked for\b/i,
    /any more\b/i,
    /your wallet’s own/i,
    /enter it nowhere but/i,
    /code of (your|the) wallet/i,
    /ask (the shop|them|your bank) (how|about it)/i,
  ]
  const isComment = /^\s*(\/\/|\*|\/\*)/
  const found = files.flatMap((file) =>
    readFileSync(`${ROOT}/${file}`, 'utf8')
      .split('\n')
      .filter((line) => !isComment.test(line) && patterns.some((pattern) => pattern.test(line)))
      .map((line) => `${file}: ${line.trim()}`),
  )
  assert.deepEqual(found, [])
})
