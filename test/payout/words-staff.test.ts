import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ROOT } from '../../scripts/infra/paths.ts'

// Staff, merchants' people and developers read plain English. A sentence that was reworded must not come back in the
// pages of staff, the login, mails, the command line, the engine's UI, the API and the docs.
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')
const globs = [
  'web/{site,form-result,home,dashboard,review-desk/*,access/*,sight/*}.ts',
  'web/templates/{ops,site,dashboard,sight}/*.eta',
  'web/templates/home.eta',
  '{client,api,schemas,domain,commands,rails,workflows,activities,engine}/**/*.{ts,js}',
  'scripts/infra/*.ts',
  'README.md',
  'docs/*.md',
  'docs/guides/*.md',
]

/** The text of a file without its comments, on one line, with plain apostrophes. */
const textOf = (file: string): string =>
  (/\.[tj]s$/.test(file) ? read(file).replaceAll(/\/\*\*[\s\S]*?\*\/|(?<![:'"`\w])\/\/ .*$/gm, '') : read(file))
    .replaceAll(/\s+/g, ' ')
    .replaceAll('’', "'")

const reworded = [
  'You are asked for a code next',
  'code of six digits',
  'one before it is dead',
  'Expires after days',
  'Left empty, it does not expire',
  'It may do everything that a key may',
  'Open the first page',
  '<label>Show',
  '>everything<',
  "'Void'",
  'goes up on',
  'Went up on',
  'somebody above knows',
  'waits for a decision',
  'It has ended and waits',
  'waits for nobody',
  'is waited for',
  'for good',
  'Your decision is taken',
  'Taken from the balance',
  'Fee in it',
  'Held because',
  'held by its reference',
  'Travels by',
  "Rail's own id",
  'Said to have',
  "payout's process is at it",
  'Their rail took them',
  'found out from its rail',
  'may it go, or does',
  'another end of a',
  "'is no ",
  '`is no ',
  'is named twice',
  'the database is away',
  'engine is away',
  'it is away',
  'another end than the one',
  'wheel below the list',
  'no address of the service',
  'JSON instead of lines',
  'Money is a decimal string',
  'errors are one object',
  'That was too often',
  'Too many tries',
  'not possible any more',
  'whole link, to its last letter',
  'Nobody has decided a review',
  'has been waiting for a day',
]

/** The name of a variable in Python. */
const allowed = ['docs/guides/webhooks.md: for good']

test('no reworded sentence has come back in what staff, developers and merchants’ people read', () => {
  const files = globs.flatMap((glob) => globSync(glob, { cwd: ROOT }))
  assert.ok(files.length > 200, 'the files are found')
  const found = files.flatMap((file) => {
    const text = textOf(file)
    const said = reworded.filter((words) => text.includes(words) && !allowed.includes(`${file}: ${words}`))
    return said.map((words) => `${file}: ${words}`)
  })
  assert.deepEqual(found, [])
})

/** A part of an order at Stripe: sent again it has to be the same, also by another release. */
const asSent = 'rails/stripe/charge.ts'

test('pages, mails, messages and docs spell “canceled” in one way, which is not the way of a session’s status', () => {
  const files = [...globs, 'web/**/*.{ts,eta}', 'docs/contract/*.md'].flatMap((glob) => globSync(glob, { cwd: ROOT }))
  const found = [...new Set(files)].filter((file) => /\bCancell(ed|ing)\b|[a-z] cancelled\b(?!:)/.test(textOf(file)))
  assert.deepEqual(found, [asSent])
})

const sentencesOf: Record<string, string[]> = {
  'web/templates/site/login.eta': ["Next we'll ask for a code."],
  'web/templates/site/code.eta': ['the six-digit code'],
  'web/access/site-login.ts': ['The previous code no longer works.'],
  'web/form-result.ts': ['Too many attempts. Try again in'],
  'web/templates/site/refused.eta': ['Go to the start page'],
  'web/templates/site/missing.eta': ['Check that the link is complete.'],
  'web/templates/dashboard/keys.eta': ['Expires in (days)', 'Leave empty for no expiry.'],
  'web/sight/dashboard-keys.ts': ['This key has full access.'],
  'web/templates/ops/queue.eta': ['<label>Status', '<label>Type', 'Withdrawn', 'Late, escalates', 'Escalated'],
  'web/templates/ops/stuck.eta': ['Overdue, or no provider confirmation for over an hour.'],
  'web/review-desk/payout.ts': [
    'Awaiting a decision.',
    'Escalated to a lead.',
    'Closed. No action needed.',
    'Decision saved.',
    'Total debited',
    'Fee included',
    'Provider reference',
  ],
  'web/review-desk/action-words.ts': [
    'Proposed. The amount is high, so a second person must approve it.',
    'Done. It is being processed.',
    'the provider reports a different outcome.',
  ],
  'web/review-desk/destination.ts': ['Permanently rejected.', "['Scheme', to"],
  'web/sight/timeline-words.ts': ['Proposed as …', 'Permanently rejected', 'Waiting for the provider'],
  'web/templates/sight/timeline.eta': ['overdue since', 'Nothing more is expected.'],
  'web/sight/timeline-pages.ts': ['There is nothing with this id. Check that it is complete, or copy it again.'],
  'domain/payout/payout.ts': ['The payout could not be delivered.'],
  'workflows/payout/payout.ts': ['Check whether review is required'],
  'workflows/operator-actions.ts': ['different outcome than our books.'],
  'docs/operating/processes.md': ['the gear icon'],
  'client/connection.ts': ['is not a valid service URL'],
  'client/main.ts': ['print JSON'],
  'api/http/openapi.ts': ['Amounts are decimal strings; every error has the same shape.'],
}

test('each page has the sentences that were chosen for it', () => {
  for (const [file, sentences] of Object.entries(sentencesOf)) {
    for (const words of sentences) assert.ok(textOf(file).includes(words), `${file} does not say: ${words}`)
  }
})
