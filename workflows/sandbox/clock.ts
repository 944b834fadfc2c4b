import { proxyActivities, setCurrentDetails, setHandler } from '@temporalio/workflow'
import type { ClockActivities } from '../../activities/sandbox/clock.ts'
import { signalOf } from '../messages.ts'
import { clockPolicy } from '../policies.ts'
import { showStatus } from '../search-attributes.ts'

const { advanceClock } = proxyActivities<ClockActivities>(clockPolicy('Advance the test clock, deadline by deadline'))

const advance = signalOf('clock', 'advance')

/**
 * One advance of a test clock, or several that follow one another. Where the clock is, and where it goes, is in its
 * row: a step that is cut off goes on from there.
 */
export async function clock(clockId: string): Promise<string> {
  let isAsked = true
  setCurrentDetails('Nothing to do. The clock advances, and waits for what is due on its way.')
  setHandler(advance, () => void (isAsked = true))
  while (isAsked) {
    isAsked = false
    await advanceClock(clockId)
  }
  showStatus('ready', 'nobody')
  return 'ready'
}
