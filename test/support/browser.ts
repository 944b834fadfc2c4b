import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'

const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
const args = [
  '--no-sandbox',
  '--no-first-run',
  '--disable-gpu',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** A browser that calls nobody by itself. */
export async function launchBrowser() {
  assert.ok(existsSync(executablePath), `the pages are tested with ${executablePath}; install chromium or set CHROMIUM`)
  return chromium.launch({ executablePath, args })
}
