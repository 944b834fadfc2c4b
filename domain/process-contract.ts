import type { ProviderName } from './rail-provider.ts'

/** The queues of the engine: one for the money, one for webhooks, so that a slow receiver takes no slot from a sale. */
export const queues = ['main', 'webhooks'] as const
export type Queue = (typeof queues)[number]

declare const args: unique symbol

/** A message to a process. The types of its arguments exist at compile time only; `means` describes it for readers. */
export type Message<Args extends unknown[]> = { means: string; [args]?: Args }

/** A message with these arguments: `message<[paymentId: string]>('…')`. */
export const message = <Args extends unknown[] = []>(means: string): Message<Args> => ({ means })

type Messages = Record<string, Message<unknown[]>>

/**
 * What the rest of the service knows of a process. `prefix` stands before the resource's id in the process's id, such
 * as `payout/pay_…`. An update is answered, a signal is not.
 */
export type Contract = { prefix: string; queue: Queue; updates?: Messages; signals?: Messages }

export const contract = <const C extends Contract>(declared: C): C => declared

/** The arguments of a message. */
export type ArgsOf<M> = M extends Message<infer Args> ? Args : never

/** The signal of a test clock to the processes of its members. */
export const clockMoved = {
  clockMoved: message<[time: number | null]>(
    'The test clock has this time now; null: the process goes by the real time.',
  ),
}

/** What staff order about a resource whose process waits for an outsider. The order and its reason are in a row. */
export const operatorUpdates = {
  retry: message<[actionId: string]>('Staff have the outsider tried again now.'),
  hold: message<[actionId: string]>('Staff hold it: nothing more is sent until they release it.'),
  release: message<[actionId: string]>('Staff release it, and it is sent again.'),
  markSettled: message<[actionId: string]>('Staff mark it as settled, with proof.'),
  markFailed: message<[actionId: string]>('Staff mark it as failed.'),
}

/** The signal to a process that has sent an order to a rail. */
export const railNews = {
  railAnswered: message('The rail has news about the order: the process looks it up.'),
  ...clockMoved,
}

/**
 * What operators read of a process in the engine's list: search attributes and one plain sentence, never personal data.
 * Each process has one function that fills it from its row, beside its contract.
 */
export type About = {
  accountId: string
  environment: string
  status: string
  waitingOn: string
  summary: string
  /** The provider of live rails that it works with from its start. */
  provider?: ProviderName | null
  /** The test clock by which the process begins, with its time in milliseconds since the epoch. */
  clock?: { id: string; time: number }
  /** The recorded trace for which it was written, as W3C's `traceparent`. It is told to the engine alone. */
  trace?: string
}

/** The account and environment of a row. */
export type Owned = Pick<About, 'accountId' | 'environment'>
