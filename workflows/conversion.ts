import { defineSignal, proxyActivities, proxyLocalActivities, setHandler } from '@temporalio/workflow'
import type { ConversionActivities } from '../activities/conversion.ts'
import { ledger, rail } from './policies.ts'
import { railPolls } from './rail-polls.ts'
import { showStatus } from './search-attributes.ts'
import { now, waitUntil } from './wait-until.ts'

const { submitConversion } = proxyActivities<ConversionActivities>(rail('Send the conversion to the rail'))
const { lookUpConversion } = proxyActivities<ConversionActivities>(rail('Ask the rail how the conversion stands'))
const { closeConversion } = proxyLocalActivities<ConversionActivities>(ledger('Book how the conversion has ended'))

/** The rail has news about the conversion; the process asks it what, so that no news is taken on trust. */
export const railAnswered = defineSignal('railAnswered')

/** pending -> processing -> completed | failed, however long the rail takes to answer: it is never guessed. */
export async function conversion(conversionId: string): Promise<string> {
  let news = false
  setHandler(railAnswered, () => void (news = true))

  let answer = await submitConversion(conversionId, now())
  if (answer === 'unknown') showStatus('processing', 'rail')
  const polls = railPolls()
  for (let askAt = now() + polls.next(); answer === 'unknown';) {
    const heard = await waitUntil(askAt, { for: 'rail', unless: () => news })
    news = false
    answer = await lookUpConversion(conversionId)
    if (!heard) askAt = now() + polls.next()
  }
  const status = await closeConversion(conversionId, answer, now())
  showStatus(status, 'nobody')
  return status
}
