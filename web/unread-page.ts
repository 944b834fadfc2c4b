import type { Refused } from './api.ts'
import type { Language } from './language.ts'
import { problem } from './checkout/problems.ts'
import type { Page } from './render.ts'

/** The page for an address that leads to nothing. */
export const missingPage = (language: Language): Page => ({
  template: 'missing',
  status: 404,
  title: language.say('missing.title'),
  language,
  data: { session: null },
})

/** The page where the API has not shown what a hosted page is about. Unless that does not exist, the page retries. */
export function unreadPage({ status, code, waitSeconds }: Refused, language: Language): Page {
  if (status === 404) return missingPage(language)
  return {
    template: 'unavailable',
    status,
    title: language.say('wait.title'),
    language,
    data: { session: null, words: problem(language, code, waitSeconds), kept: null },
    pollSeconds: Math.min(waitSeconds ?? 5, 60),
  }
}
