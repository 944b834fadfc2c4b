import Type, { type Static } from 'typebox'
import type { Event } from '../../db/webhook/event.ts'
import { intervals } from '../../domain/catalogue/product.ts'
import { type Corridor, corridorKeys } from '../../domain/corridor.ts'
import { evidenceTextMax } from '../../domain/dispute/evidence.ts'
import { durationPattern } from '../../domain/duration.ts'
import { eventTypes } from '../../domain/webhook/event.ts'
import { silences } from '../../domain/webhook/simulated-receiver.ts'
import { simulatedOutcomes } from '../../domain/simulation.ts'
import { ErrorObject, id, iso, Moment, Money, nullable, sentCurrency, singleLine, Timestamp } from '../common.ts'
import { raisedDispute } from './dispute.ts'
import { Happening } from './test-clock.ts'

/** The most steps of a scenario. */
export const stepsMax = 50

const cardOutcome = Type.Optional(
  Type.String({ maxLength: 32, examples: ['declines_later'], description: 'An outcome of the test helper.' }),
)

const steps = {
  create: Type.Object(
    {
      amount: Money,
      currency: sentCurrency(),
      payment_method: Type.Optional(
        Type.Unsafe<Corridor>(
          Type.Enum([...corridorKeys], { description: 'With what the buyer pays; the session offers only its kind.' }),
        ),
      ),
      expires_in_minutes: Type.Optional(Type.Integer({ minimum: 1, maximum: 1440 })),
    },
    { description: 'A checkout session is created. The steps after it are about this session.' },
  ),
  pay: Type.Object(
    { outcome: Type.Optional(Type.String({ maxLength: 32, examples: ['card_declined'] })) },
    { description: 'The buyer pays, with the outcomes of the test helper.' },
  ),
  deposit: Type.String({
    pattern: '^[1-9][0-9]{0,2} ?%$',
    examples: ['60 %'],
    description: 'The buyer sends a part of the amount due, by bank transfer or in crypto.',
  }),
  top_up: Type.Object({}, { description: 'The buyer sends the missing amount.' }),
  wait: Type.String({
    maxLength: 50,
    pattern: durationPattern,
    examples: ['P2D'],
    description: 'The clock is advanced.',
  }),
  refund: Type.Object(
    {
      amount: Type.Optional({ ...Money, description: 'Left out: everything that is left.' }),
      outcome: Type.Optional(Type.Enum([...simulatedOutcomes])),
    },
    { description: 'The payment is refunded.' },
  ),
  dispute: Type.Object(raisedDispute, { description: 'The buyer’s bank disputes the payment, or announces it.' }),
  evidence: Type.String({
    minLength: 1,
    maxLength: evidenceTextMax,
    examples: ['winning_evidence'],
    description: 'The merchant submits this text against the dispute. Two documented texts decide it.',
  }),
  subscribe: Type.Object(
    {
      amount: Money,
      currency: sentCurrency(),
      interval: Type.Optional(Type.Enum([...intervals], { default: 'month' })),
      interval_count: Type.Optional(Type.Integer({ minimum: 1, maximum: 365, default: 1 })),
      trial_days: Type.Optional(Type.Integer({ minimum: 0, maximum: 730, default: 0 })),
      outcome: cardOutcome,
    },
    { description: 'A customer buys a recurring product. The steps after it are about this subscription.' },
  ),
  new_card: Type.Object(
    { outcome: cardOutcome },
    { description: 'The customer saves another card, which the subscription is charged to from now on.' },
  ),
  cancel: Type.Object(
    { at_period_end: Type.Optional(Type.Boolean({ default: true })) },
    { description: 'The subscription is canceled.' },
  ),
  receiver: Type.Object(
    {
      answers: Type.Union([Type.Integer({ minimum: 200, maximum: 599 }), Type.Enum([...silences])], {
        description: 'A status of HTTP; or no answer within the time limit, or a refused connection.',
      }),
      times: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 50, description: 'For how many attempts. Left out: one.' }),
      ),
    },
    {
      description:
        'What a receiver of webhooks answers next, which the sandbox runs. After all that is planned it answers 200.',
    },
  ),
}
export type StepKind = keyof typeof steps
export type StepValues = { [K in StepKind]: Static<(typeof steps)[K]> }
export const stepKinds = Object.keys(steps) as StepKind[]

const Step = Type.Object(
  {
    create: Type.Optional(steps.create),
    pay: Type.Optional(steps.pay),
    deposit: Type.Optional(steps.deposit),
    top_up: Type.Optional(steps.top_up),
    wait: Type.Optional(steps.wait),
    refund: Type.Optional(steps.refund),
    dispute: Type.Optional(steps.dispute),
    evidence: Type.Optional(steps.evidence),
    subscribe: Type.Optional(steps.subscribe),
    new_card: Type.Optional(steps.new_card),
    cancel: Type.Optional(steps.cancel),
    receiver: Type.Optional(steps.receiver),
  },
  { additionalProperties: false, $id: 'ScenarioStep' },
)
export type Step = Static<typeof Step>

export const RunScenario = Type.Object(
  {
    name: Type.Optional(singleLine(255, { minLength: 1 })),
    seed: Type.Optional(
      singleLine(255, { minLength: 1, description: 'With the same seed and the same steps the answer is the same.' }),
    ),
    frozen_time: Type.Optional(Moment),
    steps: Type.Array(Step, { minItems: 1, maxItems: stepsMax }),
  },
  { $id: 'RunScenario' },
)

const RanStep = Type.Object(
  {
    index: Type.Integer(),
    kind: Type.Enum([...stepKinds]),
    status: Type.Enum(['done', 'failed', 'skipped']),
    at: nullable(Timestamp),
    error: Type.Optional(ErrorObject),
  },
  { $id: 'RanScenarioStep' },
)
export type RanStep = Static<typeof RanStep>

const ScenarioEvent = Type.Object(
  {
    id: id('evt'),
    type: Type.Enum([...eventTypes]),
    at: Timestamp,
    resource_id: Type.String(),
    data: Type.Record(Type.String(), Type.Unknown()),
  },
  { $id: 'ScenarioEvent' },
)

/** An event of a scenario, as its receivers get it. */
export const presentScenarioEvent = (event: Event): Static<typeof ScenarioEvent> => ({
  id: event.id,
  type: event.type,
  at: iso(event.createdAt),
  resource_id: event.resourceId,
  data: (JSON.parse(event.body) as { data: Record<string, unknown> }).data,
})

export const RanScenario = Type.Object(
  {
    name: nullable(Type.String()),
    seed: nullable(Type.String()),
    clock_id: id('clk'),
    frozen_time: Timestamp,
    steps: Type.Array(RanStep),
    events: Type.Array(ScenarioEvent, { description: 'Every event about what the scenario has made, in order.' }),
    happened: Type.Array(Happening, { description: 'Every status that they took, in order.' }),
  },
  { $id: 'RanScenario' },
)
