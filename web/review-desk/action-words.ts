import type { Static } from 'typebox'
import { type ActionResource, endsOrder, type OperatorActionName } from '../../domain/operator-action.ts'
import type { StaffTimeline } from '../../schemas/sight/timeline.ts'
import { failedWord, kindName, settledWord } from '../sight/timeline-words.ts'
import { plainWord } from '../words.ts'

// The words of the actions of staff: the forms, the confirmation, and what is said after each.

/** A form: its title, what the action does, its button. */
type FormWords = { title: string; effect: string; button: string }

type KindWords = Record<Exclude<OperatorActionName, 'mark_settled' | 'mark_failed'>, FormWords> & {
  /** The title of the form that marks it as settled. */
  settled: string
  /** The title of the form that ends it as failed, what that does, and when to do it. */
  failed: string
  failedEffect: string
  failedOnlyIf: string
}

const backToBalance = 'The money goes back to the merchant’s balance.'

/** What is sent to a provider as an order: the provider carries out one order of an id, however often it is sent. */
const order = (noun: string, verb: string) => ({
  retry: {
    title: 'Ask the provider again',
    effect: `Always safe: the provider knows the ${noun} by its id and never ${verb} it twice.`,
    button: 'Ask again',
  },
  hold: {
    title: 'Put it on hold',
    effect: 'Nothing is sent until somebody releases it. What the provider already has may still go through.',
    button: 'Hold',
  },
  release: { title: 'Release it', effect: 'The order is sent again now, under the same id.', button: 'Release' },
  failedEffect: backToBalance,
})

const kinds: Record<ActionResource, KindWords> = {
  payout: {
    ...order('payout', 'pays'),
    settled: 'The money has arrived, and there is proof',
    failed: 'The money was not sent',
    failedOnlyIf: 'Do it only if the provider has confirmed that the payout was not sent.',
  },
  refund: {
    ...order('refund', 'pays'),
    settled: 'The buyer has the money, and there is proof',
    failed: 'The refund was not paid',
    failedOnlyIf: 'Do it only if the provider has confirmed that the refund was not paid.',
  },
  conversion: {
    ...order('conversion', 'makes'),
    settled: 'The conversion was made, and there is proof',
    failed: 'The conversion was not made',
    failedOnlyIf: 'Do it only if the provider has confirmed that the conversion was not made.',
  },
  payment: {
    ...order('payment', 'charges'), // never held and released, as nothing is sent for a payment
    retry: { title: 'Ask the provider again', effect: 'Always safe: it only asks.', button: 'Ask again' },
    settled: 'All the money has arrived, and there is proof',
    failed: 'The money was not taken',
    failedEffect: 'The payment ends as failed, and the buyer may pay again.',
    failedOnlyIf: 'Do it only if the provider has confirmed that the money was not taken.',
  },
  dispute: {
    ...order('dispute', 'takes'), // never held and released: only its buyer’s bank can stop it
    retry: {
      title: 'Ask the card network now',
      effect: 'Always safe: what the network has not got yet is sent, otherwise it is asked how the dispute stands.',
      button: 'Ask now',
    },
    settled: 'The network has decided for the merchant, and there is proof',
    failed: 'The network has decided for the buyer',
    failedEffect: 'The amount is permanently taken from the merchant’s balance.',
    failedOnlyIf: 'Do it only if the network has confirmed that the merchant has lost.',
  },
  webhook_delivery: {
    retry: { title: 'Send it now', effect: 'The next attempt is made now.', button: 'Send now' },
    hold: { title: 'Put it on hold', effect: 'No attempt is made until somebody releases it.', button: 'Hold' },
    release: { title: 'Release it', effect: 'The next attempt is made now.', button: 'Release' },
    settled: '',
    failed: 'Give up',
    failedEffect: 'No further attempt is made: the delivery ends as failed.',
    failedOnlyIf: 'Do it only if the receiver can no longer take it.',
  },
}

export const nounOf = (resource: ActionResource): string => kindName(resource).toLowerCase()

/** What an ending says, such as `arrived`. */
export const endWord = (resource: ActionResource, action: OperatorActionName): string =>
  action === 'mark_failed' ? failedWord(resource) : settledWord(resource)

/** An ending as a statement, such as `it arrived`. */
export function endStatement(resource: ActionResource, action: OperatorActionName): string {
  const isPassive = resource === 'dispute' || (action === 'mark_settled' && resource !== 'payout')
  return `it ${isPassive ? 'was ' : ''}${endWord(resource, action)}`
}

/** The words of the form of an action. */
export function formWords(resource: ActionResource, action: OperatorActionName): FormWords {
  const words = kinds[resource]
  if (action === 'mark_settled') {
    return { title: words.settled, effect: '', button: `Mark as ${settledWord(resource)}` }
  }
  if (action !== 'mark_failed') return words[action]
  return {
    title: words.failed,
    effect: `${words.failedEffect} ${words.failedOnlyIf}`,
    button: `Mark as ${failedWord(resource)}…`,
  }
}

/** What staff read before they confirm that something has failed. */
export const confirmWords = (resource: ActionResource): string =>
  `${kinds[resource].failedEffect} This can’t be undone. ${kinds[resource].failedOnlyIf}`

/** What is said after an action, by the state that the API has answered. */
export function noticeOf(resource: ActionResource, action: OperatorActionName, state: string): string | null {
  if (state === 'awaiting_second_approval') {
    return 'Proposed. The amount is high, so a second person must approve it.'
  }
  if (state === 'approved') return 'Done. It is being processed.'
  if (state !== 'executed') return null
  if (endsOrder(action)) return `Done. Marked as ${endWord(resource, action)}.`
  const isDelivery = resource === 'webhook_delivery'
  return {
    retry: isDelivery ? 'Done. The next attempt is made now.' : 'Done. The provider is asked again.',
    hold: 'Done. It is on hold.',
    release: isDelivery ? 'Released. The next attempt is made now.' : 'Released. The order is sent again now.',
    mark_settled: null,
    mark_failed: null,
  }[action]
}

/** Why an action was refused, as far as the resource's present state tells. */
export function refusalOf(
  resource: ActionResource,
  action: OperatorActionName,
  { actions, items, proposals, status, on_hold_since: onHold }: Static<typeof StaffTimeline>,
): string {
  const outcome = items.findLast(({ step }) => step.startsWith(`${action}.`))?.step
  const isNow = `Its status is now “${plainWord(status)}”.`
  if (endsOrder(action) && outcome === `${action}.refused`) {
    return `Not saved: the provider reports a different outcome. ${isNow}`
  }
  if (resource === 'payout' && status === 'pending') {
    return 'Not saved: the payout is held for a review meanwhile. Approve or reject it.'
  }
  if (actions.length === 0) return `Not saved: the ${nounOf(resource)} has ended meanwhile. ${isNow}`
  if (actions.includes(action)) {
    return proposals.some((proposal) => proposal.action === action)
      ? 'Not saved: somebody has proposed it meanwhile, with another proof. Check the proposal.'
      : 'Not saved: somebody has changed it meanwhile. This is its current state.'
  }
  if (resource === 'dispute') return `Not saved: only what the network decides can be marked. ${isNow}`
  if (action === 'release') return 'Not saved: it is not on hold any more.'
  if (onHold && !endsOrder(action)) return 'Not saved: somebody has put it on hold meanwhile.'
  return `Not saved: the order was not sent yet. ${action === 'mark_failed' ? 'Put it on hold first.' : ''}`.trim()
}
