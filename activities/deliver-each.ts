import { setTimeout } from 'node:timers/promises'
import type { Mail } from '../domain/mail.ts'
import type { Deps } from './deps.ts'
import { inTime } from './in-time.ts'

/**
 * The pauses before the second and the third try, and the limit of each of these: 26 s in all, so that they fit into
 * the minute of the step where the first try has taken no longer than half of it.
 */
const pausesMs = [1_000, 5_000]
const againMs = 10_000

/** Why a mail was not taken, as the mail server or the connection to it says; `command`: what it was told last. */
export type Failure = Error & { code?: string; command?: string; responseCode?: number }

/**
 * Whether a mail server has refused a mail after it was told its recipient or its content, so that other mails may
 * still be taken. This may be for good, such as where the address does not exist. It may also be for a fault of ours
 * that an operator mends: many servers say only then that they do not take mails from this client or this sender.
 * Before that a server refuses all mails, such as for a wrong password.
 */
export const isRefused = ({ command, responseCode = 0 }: Failure): boolean =>
  responseCode >= 500 && (command === 'RCPT TO' || command === 'DATA')

const tooLate: Failure = Object.assign(new Error('the mail server has not answered'), { code: 'ETIMEDOUT' })

/**
 * Sends each mail and returns those that the mail server has taken. Throws where it has taken none at the first try. If
 * it has taken some, the others are tried again here, as a repeated step would send the former again; what it goes on
 * refusing is logged, so that such an address does not have the other mails sent again and again.
 */
export async function deliverEach(deps: Deps, mails: readonly Mail[], about: object): Promise<Mail[]> {
  const first = await Promise.all(mails.map((mail) => failureOf(deps, mail)))
  const [failure] = first
  if (failure && first.every((each) => each !== null)) throw failure
  const last = await Promise.all(mails.map((mail, index) => tryAgain(deps, mail, first[index] ?? null)))
  for (const each of last) {
    if (each === null) continue
    const { code, responseCode } = each // without its message, which may quote the mail
    deps.logger.error({ ...about, code, responseCode }, 'a mail was not sent')
  }
  return mails.filter((_, index) => last[index] === null)
}

/** Tries a mail again that has failed, unless it is refused. Returns the last failure; null: it is taken. */
async function tryAgain(deps: Deps, mail: Mail, first: Failure | null): Promise<Failure | null> {
  let failure = first
  for (const pauseMs of pausesMs) {
    if (failure === null || isRefused(failure)) break
    await setTimeout(pauseMs)
    failure = await inTime(againMs, failureOf(deps, mail), tooLate)
  }
  return failure
}

const failureOf = ({ mailer }: Deps, mail: Mail): Promise<Failure | null> =>
  mailer.deliver(mail).then(
    () => null,
    (error: Failure) => error,
  )
