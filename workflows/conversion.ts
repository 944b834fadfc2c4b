import type { ConversionActivities } from '../activities/conversion.ts'
import { followRailOrder } from './rail-order/order.ts'
import { proxyLocalSteps } from './local-steps.ts'
import { ledgerPolicy, railPolicy } from './policies.ts'
import { proxyRailSteps } from './rail-steps.ts'
import { signalOf } from './messages.ts'
import { continueInNewRun } from './continue-as-new.ts'

const { submitConversion } = proxyRailSteps<ConversionActivities>(railPolicy('Send the conversion to the rail'))
const { lookUpConversion } = proxyRailSteps<ConversionActivities>(
  railPolicy('Ask the rail for the conversion’s status'),
)
const { carryOutOnConversion } = proxyRailSteps<ConversionActivities>(
  railPolicy('Carry out what staff ordered, if the rail agrees'),
)
const { closeConversion } = proxyLocalSteps<ConversionActivities>(ledgerPolicy('Post the conversion’s outcome'))

const railAnswered = signalOf('conversion', 'railAnswered')

/** pending -> processing -> completed | failed, however long the rail takes to answer: an outcome is never guessed. */
export async function conversion(conversionId: string, hasNews = false): Promise<string> {
  return followRailOrder(railAnswered, {
    submit: (at, askAgainAt) => submitConversion(conversionId, at, askAgainAt),
    lookUp: (askAgainAt) => lookUpConversion(conversionId, askAgainAt),
    close: (answer, at) => closeConversion(conversionId, answer, at),
    carryOut: (actionId, at) => carryOutOnConversion(actionId, at, conversionId),
    continueRun: (isNews) => continueInNewRun<typeof conversion>(conversionId, isNews),
    hasNews,
  })
}
