import type { Refused } from './api.ts'
import type { Language } from './language.ts'
import { problem } from './problems.ts'
import type { Page } from './render.ts'

/** The page for an address that leads to nothing. */
export const missingPage = (language: Language): Page => ({
  template: 'missing',
  status: 404,
  title: language.say('missing.title'),
  language,
  data: { session: null },
})

/** A form that was sent, and can be sent again. */
export type Kept = { path: string; typed: Record<string, string>; formKey?: string | null }

/**
 * The page where the API has not shown what a hosted page is about, unless that does not exist. The page retries,
 * except after a 400, which it would get again. If a form was sent, `kept`, whoever sent it is asked to send it again.
 */
export function unreadPage({ status, code, waitSeconds }: Refused, language: Language, kept: Kept | null = null): Page {
  if (status === 404) return missingPage(language)
  return {
    template: 'unavailable',
    status,
    title: language.say('wait.title'),
    language,
    data: { session: null, words: problem(language, code, waitSeconds), kept },
    // No reload while a form waits, as its values would be lost.
    pollSeconds: kept || status === 400 ? null : Math.min(waitSeconds ?? 5, 60),
  }
}
