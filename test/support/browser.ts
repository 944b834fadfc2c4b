import assert from 'node:assert/strict'
import { hasMemoryFor } from '../../scripts/infra/session.ts'
import { type BrowserContext, chromium, type ConsoleMessage, type Page } from 'playwright-core'

const args = [
  '--no-sandbox',
  '--no-first-run',
  '--disable-gpu',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

const ROOM = 1024 ** 3

/** Left out of the library's own flags where there is room: with it the browser's processes share pages on the disk. */
const sharesOnDisk = '--disable-dev-shm-usage'

/** How long a browser or a page may take for one thing: long, so that a busy machine fails no test. */
const patienceMs = 90_000

/** A browser that makes no calls of its own. */
export async function launchBrowser() {
  const executablePath = process.env['CHROMIUM']
  assert.ok(executablePath, 'CHROMIUM is missing: run the tests with npm test')
  const browser = await chromium.launch({
    executablePath,
    args,
    timeout: patienceMs,
    ignoreDefaultArgs: hasMemoryFor(ROOM) ? [sharesOnDisk] : [],
  })
  return browser.on('context', (context) => context.setDefaultTimeout(patienceMs))
}

type Watch = {
  /** The origins that the page may load from. */
  origins: readonly string[]
  /** What no URL may contain. */
  secrets?: RegExp
  /** The console messages that the test expects; by default those about a status of 4xx. */
  isExpected?: (message: ConsoleMessage) => boolean
}

const isClientError = (message: ConsoleMessage): boolean => message.text().includes('status of 4')

/** Said where somebody has clicked before the browser came to the field with `autofocus`, which then has no effect. */
const isAutofocus = (message: ConsoleMessage): boolean => message.text().startsWith('Autofocus processing was blocked')

/** Said where somebody signs out, which clears what the browser has kept. */
const isCleared = (message: ConsoleMessage): boolean => message.text().startsWith('Clear-Site-Data header on')

/**
 * Works with a new page and closes its context. Asserts that the page loaded nothing from other origins, that none of
 * its scripts failed, and that its console has only expected messages.
 */
export async function watchPage(
  context: BrowserContext,
  { origins, secrets, isExpected = isClientError }: Watch,
  work: (page: Page) => Promise<void>,
): Promise<void> {
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('request', (request) => {
    const url = request.url()
    if (!origins.includes(new URL(url).origin)) complaints.push(`outside: ${url}`)
    if (secrets?.test(url)) complaints.push(`a secret in an address: ${url}`)
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (!isExpected(message) && !isAutofocus(message) && !isCleared(message)) complaints.push(message.text())
  })
  try {
    await work(page)
    assert.deepEqual(complaints, [])
  } finally {
    await context.close()
  }
}
