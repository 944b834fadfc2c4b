import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Result } from 'axe-core'
import type { Frame, Page } from 'playwright-core'

const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/**
 * What keeps people from using a page, by all rules of axe. Only that comes back from the browser: what axe approves is
 * some hundred times as long.
 */
export async function barriersOn(page: Page): Promise<Result[]> {
  assert.equal(page.frames().length, 1, 'axe does not look into frames')
  return barriersIn(page.mainFrame())
}

/** The same of one document, without those in its frames. */
export async function barriersIn(frame: Frame): Promise<Result[]> {
  if (await frame.evaluate<boolean>('typeof axe === "undefined"')) await frame.evaluate(axe)
  return frame.evaluate<Result[]>(
    `axe.run(document, { resultTypes: ['violations'], iframes: false }).then(({ violations }) => violations)`,
  )
}

/** The barriers that are serious or critical. */
export async function graveBarriersOn(page: Page): Promise<Result[]> {
  return (await barriersOn(page)).filter(isGrave)
}

export const isGrave = ({ impact }: Result): boolean => impact === 'serious' || impact === 'critical'

/** Each barrier in a line: its rule, and where it is. */
export const describeBarriers = (barriers: Result[]): string[] =>
  barriers.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
