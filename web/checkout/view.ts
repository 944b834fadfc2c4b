import { createHash, randomBytes } from 'node:crypto'
import { factsOf } from './facts.ts'
import type { Screen, Session } from './screen.ts'
import type { Typed } from './form.ts'
import { assetName } from '../names.ts'
import type { Page } from '../render.ts'
import { type InputErrors, failure, money } from '../words.ts'

/** The typed values with their errors. Never contains a card number, a security code or a one-time code. */
export type FormState = {
  typed: Typed
  errors: InputErrors
  problem: string | null
  /** The key of the earlier form, if the same call is to continue. */
  formKey: string | null
}

export const emptyFormState: FormState = { typed: {}, errors: {}, problem: null, formKey: null }

/** The request for a page: its time `now`, in ms; `stays` means that the buyer keeps the receipt open. */
export type PageRequest = { now: number; status?: number; stays?: boolean }

/** These pages reload only when the session expires; the others reload regularly anyway. */
const formScreens: readonly Screen[] = ['choose', 'confirm', 'code', 'redirect']
/** A session ends a moment after its time of expiry. */
const graceSeconds = 2

/** The page of a session. `path` is its own address. It contains the client secret, so it is used in forms only. */
export function checkoutPage(
  session: Session,
  screen: Screen,
  path: string,
  formState: FormState,
  { now, status = 200, stays = false }: PageRequest,
): Page {
  const facts = factsOf(session, screen, formState.typed, now)
  const leftSeconds = Math.ceil((Date.parse(session.expires_at) - now) / 1000) + graceSeconds
  return {
    template: screen,
    status,
    title: titleOf(session, screen, facts.missing ? money(facts.missing, session.currency) : facts.due, formState),
    pollSeconds: { processing: 3, redirect: 5, transfer: 5, prompt: 3, crypto: 5 }[screen as string] ?? null,
    expiresInSeconds: formScreens.includes(screen) ? Math.max(leftSeconds, 15) : null,
    goesTo: screen === 'paid' && !stays ? facts.successUrl : null,
    data: {
      session,
      path,
      stays,
      ...formState,
      ...facts,
      formKey: formState.formKey ?? randomBytes(18).toString('base64url'),
      about: aboutOf(session),
      problem: formState.problem ?? (session.payment_status === 'failed' ? failure(session.failure_code) : null),
    },
  }
}

function titleOf(session: Session, screen: Screen, amount: string, { problem }: FormState): string {
  const { next_action: action, status } = session
  const { choose, confirm, paid } = wordsOf(session, amount)
  const titles: Record<Screen, string> = {
    choose,
    confirm,
    code: action?.type === 'pin' ? 'Enter your wallet code' : 'Enter the code from your bank',
    redirect: 'Continue to your bank',
    transfer: `Transfer ${amount}`,
    prompt: 'Approve the payment on your phone',
    crypto: `Send ${action?.type === 'crypto_address' ? assetName(action.asset) : 'coins'}`,
    processing: 'Your payment is being processed',
    paid,
    ended: status === 'expired' ? 'This page has expired' : 'This payment was cancelled',
  }
  return problem ? `Error: ${titles[screen]}` : titles[screen]
}

/** The titles of the pages that depend on what is sold: a subscription, a trial of one, a saved card or a sale. */
function wordsOf({ merchant_name: merchant, recurring, setup }: Session, amount: string) {
  if (recurring) {
    const isTrial = recurring.trial_days > 0
    const choose = isTrial ? `Start your trial with ${merchant}` : `Subscribe to ${merchant}`
    return { choose, confirm: choose, paid: `Your ${isTrial ? 'trial' : 'subscription'} has begun` }
  }
  if (setup) {
    const choose = `Save your card with ${merchant}`
    return { choose, confirm: choose, paid: 'Your card is saved' }
  }
  return { choose: `Pay ${merchant}`, confirm: `Confirm ${amount} to ${merchant}`, paid: 'Payment complete' }
}

/**
 * Identifies the payment that the buyer sees when confirming. A form about another one is shown again, not executed.
 */
export const aboutOf = ({ payment_status, payment_method, payment_id, total }: Session): string =>
  createHash('sha256')
    .update(JSON.stringify([payment_status, payment_method, payment_id, total]))
    .digest('base64url')
