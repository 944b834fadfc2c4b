import { log, setHandler, type SignalDefinition } from '@temporalio/workflow'
import { isId } from './id-validator.ts'

/**
 * Adds to `news` each payment about which the signal says that its rail has news. Other text is ignored, as anybody who
 * can signal may have sent it. Returns the function that adds a payment.
 */
export function followPaymentNews(
  railAnswered: SignalDefinition<[paymentId: string]>,
  news: string[],
): (paymentId: string) => void {
  const askAbout = (paymentId: string): void => {
    if (!news.includes(paymentId)) news.push(paymentId)
  }
  setHandler(railAnswered, (paymentId) => {
    if (isId('pay', paymentId)) askAbout(paymentId)
    else log.warn('news about what is no payment is ignored')
  })
  return askAbout
}
