import type { Refused } from './api.ts'
import type { Page } from './render.ts'
import { problem } from './words.ts'

/** The page for an address that leads to nothing. */
export const missingPage: Page = {
  template: 'missing',
  status: 404,
  title: 'This page does not exist',
  data: { session: null },
}

/** The page where the API has not shown what a hosted page is about. Unless that does not exist, the page retries. */
export function unreadPage({ status, code, waitSeconds }: Refused): Page {
  if (status === 404) return missingPage
  return {
    template: 'unavailable',
    status,
    title: 'Please wait a moment',
    data: { session: null, words: problem(code, waitSeconds), kept: null },
    pollSeconds: Math.min(waitSeconds ?? 5, 60),
  }
}
