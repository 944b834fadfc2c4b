import { continueAsNew, proxyActivities } from '@temporalio/workflow'
import type { ConversionActivities } from '../activities/conversion.ts'
import { heardFromRail } from './heard-from-rail.ts'
import { localSteps } from './local-steps.ts'
import { ledger, rail } from './policies.ts'
import { showStatus } from './search-attributes.ts'
import { signalOf } from './messages.ts'

const { submitConversion } = proxyActivities<ConversionActivities>(rail('Send the conversion to the rail'))
const { lookUpConversion } = proxyActivities<ConversionActivities>(rail('Ask the rail for the conversion’s status'))
const { closeConversion } = localSteps<ConversionActivities>(ledger('Book the conversion’s outcome'))

const railAnswered = signalOf('conversion', 'railAnswered')

/** pending -> processing -> completed | failed, however long the rail takes to answer: it is never guessed. */
export async function conversion(conversionId: string): Promise<string> {
  const status = await heardFromRail(railAnswered, {
    submit: (at) => submitConversion(conversionId, at),
    lookUp: () => lookUpConversion(conversionId),
    close: (answer, at) => closeConversion(conversionId, answer, at),
    continueAnew: () => continueAsNew<typeof conversion>(conversionId),
  })
  showStatus(status, 'nobody')
  return status
}
