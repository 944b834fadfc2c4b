import { createHash, randomBytes } from 'node:crypto'
import { factsOf } from './facts.ts'
import type { Screen, Session } from './screen.ts'
import type { Typed } from './form.ts'
import { assetName } from '../names.ts'
import type { Page } from '../render.ts'
import { type InputErrors, failure, money } from '../words.ts'

/** What the buyer had typed and what is wrong with it. It never holds a card number, a security code or a code. */
export type FormState = {
  typed: Typed
  errors: InputErrors
  problem: string | null
  /** The key of the form before, where the very same call is to go on. */
  formKey: string | null
}

export const emptyFormState: FormState = { typed: {}, errors: {}, problem: null, formKey: null }

/** How a page is asked for: at which moment, in ms; `stays` is a receipt that the buyer wants to keep open. */
export type Asked = { now: number; status?: number; stays?: boolean }

/** Forms are looked after once the session's time is up; the other pages are anyway. */
const formScreens: readonly Screen[] = ['choose', 'confirm', 'code', 'redirect']
/** A session ends a moment after its time is up. */
const graceSeconds = 2

/** The page of a session. `path` is its own address, which holds the client secret and appears nowhere but in forms. */
export function checkoutPage(
  session: Session,
  screen: Screen,
  path: string,
  formState: FormState,
  { now, status = 200, stays = false }: Asked,
): Page {
  const facts = factsOf(session, screen, formState.typed)
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
  const { merchant_name: merchant, next_action: action, status, setup } = session
  const titles: Record<Screen, string> = {
    choose: setup ? `Save your card with ${merchant}` : `Pay ${merchant}`,
    confirm: setup ? `Save your card with ${merchant}` : `Confirm ${amount} to ${merchant}`,
    code: action?.type === 'pin' ? 'Enter your wallet code' : 'Enter the code from your bank',
    redirect: 'Continue to your bank',
    transfer: `Transfer ${amount}`,
    prompt: 'Approve the payment on your phone',
    crypto: `Send ${action?.type === 'crypto_address' ? assetName(action.asset) : 'coins'}`,
    processing: 'Your payment is being processed',
    paid: setup ? 'Your card is saved' : 'Payment complete',
    ended: status === 'expired' ? 'This page has expired' : 'This payment was cancelled',
  }
  return problem ? `Error: ${titles[screen]}` : titles[screen]
}

/** What a buyer has before their eyes when they confirm: a form about anything else is shown again, not obeyed. */
export const aboutOf = ({ payment_status, payment_method, payment_id, total }: Session): string =>
  createHash('sha256')
    .update(JSON.stringify([payment_status, payment_method, payment_id, total]))
    .digest('base64url')
