import { createHash, randomBytes } from 'node:crypto'
import { factsOf } from './facts.ts'
import type { Screen, Session } from './screen.ts'
import type { Typed } from './form.ts'
import type { Language, Reader } from '../language.ts'
import { assetName } from '../names.ts'
import type { Page } from '../render.ts'
import type { WordKey } from '../words/catalogues.ts'
import { holdsFrame } from './card-frame.ts'
import type { InputErrors } from '../form-result.ts'
import { failure } from './problems.ts'

/** The typed values with their errors. Never contains a card number, a security code or a one-time code. */
export type FormState = {
  typed: Typed
  errors: InputErrors
  problem: string | null
  /** The key of the earlier form, if the same call is to continue. */
  formKey: string | null
}

export const emptyFormState: FormState = { typed: {}, errors: {}, problem: null, formKey: null }

/**
 * The request for a page: who reads it; `stays`: the buyer keeps the receipt open; `goesOn`: they have just pressed the
 * button, so they are sent to a next step elsewhere without another press, if that leads them back here.
 */
export type PageRequest = { reader: Reader; status?: number; stays?: boolean; goesOn?: boolean }

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
  { reader, status = 200, stays = false, goesOn = false }: PageRequest,
): Page {
  const facts = factsOf(session, screen, formState.typed, reader)
  const { language } = reader
  const amount = facts.missing ? language.money(facts.missing, session.currency) : facts.sum
  const { next_action: next } = session
  const hasFailed = screen === 'choose' && session.payment_status === 'failed'
  const problem = formState.problem ?? (hasFailed ? failure(language, session.failure_code) : null)
  // Whom nothing leads back here has to read that first, and presses the link.
  const goesAtOnce = goesOn && facts.redirect.leadsBack
  const leftSeconds = Math.ceil((Date.parse(session.expires_at) - Date.parse(session.as_of)) / 1000) + graceSeconds
  return {
    template: screen,
    status,
    language,
    title: titleOf(language, session, screen, { amount, facts, hasProblem: problem !== null }),
    pollSeconds: { processing: 3, redirect: 5, transfer: 5, closed: 5, prompt: 3, crypto: 5 }[screen as string] ?? null,
    expiresInSeconds: formScreens.includes(screen) ? Math.max(leftSeconds, 15) : null,
    ...(screen === 'paid' && !stays && { goesTo: facts.successUrl }),
    ...(goesAtOnce && next?.type === 'redirect' && screen === 'redirect' && { goesTo: next.url, goesAtOnce: true }),
    ...(screen === 'choose' && holdsFrame(session) && { cardField: 'holds' as const }),
    data: {
      path,
      /** The time of the session, which may be that of a test clock. The script counts down by it. */
      now: session.as_of,
      stays,
      ...formState,
      ...facts,
      formKey: formState.formKey ?? randomBytes(18).toString('base64url'),
      about: aboutOf(session),
      problem,
    },
  }
}

type TitleParts = { amount: string; facts: ReturnType<typeof factsOf>; hasProblem: boolean }

function titleOf(
  language: Language,
  session: Session,
  screen: Screen,
  { amount, facts, hasProblem }: TitleParts,
): string {
  const { say } = language
  const { next_action: action, merchant_name: merchant } = session
  const { choose, confirm, paid } = keysOf(session)
  const coin = action?.type === 'crypto_address' ? assetName(action.asset, say) : say('method.crypto')
  const titles: Record<Screen, string> = {
    choose: say(choose, { merchant }),
    confirm: say(confirm, { merchant, amount }),
    code: say(action?.type === 'pin' ? 'code.wallet' : 'code.bank'),
    redirect: facts.redirect.title,
    transfer: say('title.transfer', { amount }),
    closed: say('closed.title'),
    prompt: say('prompt.title'),
    crypto: say('coins.send', { coin }),
    processing: say(session.setup ? 'processing.setup' : 'processing.title'),
    paid: say(paid),
    ended: facts.endedTitle,
  }
  return hasProblem ? say('title.error', { title: titles[screen] }) : titles[screen]
}

type Titles = Record<'choose' | 'confirm' | 'paid', WordKey>

/** The titles of the pages that depend on what is sold: a subscription, a trial of one, a saved card or a sale. */
function keysOf({ recurring, setup }: Session): Titles {
  if (recurring) {
    const isTrial = recurring.trial_days > 0
    const choose = isTrial ? 'title.trial' : 'title.subscribe'
    return { choose, confirm: choose, paid: isTrial ? 'paid.trial' : 'paid.subscription' }
  }
  if (setup) return { choose: 'title.save', confirm: 'title.save', paid: 'paid.saved' }
  return { choose: 'title.pay', confirm: 'title.confirm', paid: 'paid.title' }
}

/**
 * Identifies the payment that the buyer sees when confirming: what is bought, for how much and how it is paid. A form
 * about another one is shown again, not executed.
 */
export function aboutOf({ payment_status, payment_method, payment_id, total, products, paid_with }: Session): string {
  // A payment that has begun has an id, and that of coins still learns what has paid it.
  const chosen = payment_status === 'requires_confirmation' ? paid_with : null
  const bought = products?.map(({ product_id, quantity, unit_amount }) => [product_id, quantity, unit_amount])
  return createHash('sha256')
    .update(JSON.stringify([payment_status, payment_method, payment_id, total, bought, chosen]))
    .digest('base64url')
}
