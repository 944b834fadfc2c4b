import { type Unanswered, unansweredIn, whyUnanswered } from './unanswered.ts'

/**
 * One thing that was found out about a provider. `warning`: it could not be seen, or somebody should look; `failed`:
 * live money does not move as it should.
 */
export type Finding = { level: 'ok' | 'warning' | 'failed'; about: string; says: string }

/** The longest that one question may take. All questions are asked at the same time. */
export const checkTimeoutMs = 8_000

const found =
  (level: Finding['level']) =>
  (about: string, says: string): Finding => ({ level, about, says })
export const ok = found('ok')
export const warning = found('warning')
export const failed = found('failed')

export type Asked<T> = { answer: T } | { unanswered: Unanswered }

/** Asks a question. An error that is not the provider's is thrown on. */
export async function asked<T>(question: () => Promise<T>): Promise<Asked<T>> {
  try {
    return { answer: await question() }
  } catch (error) {
    const unanswered = unansweredIn(error)
    if (unanswered === null) throw error
    return { unanswered }
  }
}

/** Why the provider `name` has not answered, as a sentence. */
export const why = (name: string, unanswered: Unanswered): string =>
  `${name} ${whyUnanswered(unanswered, checkTimeoutMs)}`

/**
 * Whether the provider answers at all and takes the key, by its answer to the first question. A restricted key that may
 * not do what is asked, and a provider that limits us, are known to be there.
 */
export function keyFinding(name: string, first: Asked<unknown>): Finding {
  if ('answer' in first) return ok('key', `${name} accepts the key`)
  const { status } = first.unanswered
  if (status === 403) return warning('key', `${name} knows the key, but does not let it read the balance (403)`)
  return failed('key', why(name, first.unanswered))
}

/** Whether the lists with these names can be read. */
export function listFindings(name: string, listNames: readonly string[], lists: readonly Asked<unknown>[]): Finding[] {
  const findings = lists.flatMap((list, index) =>
    'answer' in list ? [] : [failed('lists', `${listNames[index]} cannot be read: ${why(name, list.unanswered)}`)],
  )
  return findings.length > 0 ? findings : [ok('lists', `${listNames.join(', ')} can be read`)]
}

/** Whether callbacks can reach us at all, as far as the address says. */
export function addressFinding(publicUrl: string): Finding[] {
  const { protocol, hostname } = new URL(publicUrl)
  if (['127.0.0.1', 'localhost', '[::1]'].includes(hostname))
    return [warning('address', `no provider reaches ${publicUrl}: set PUBLIC_URL to the public address`)]
  return protocol === 'https:' ? [] : [warning('address', `callbacks to ${publicUrl} are not encrypted: use https`)]
}
