import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Environment } from '../../domain/access/scope.ts'
import { corridorKeys } from '../../domain/corridor.ts'
import { destinationTypes } from '../../domain/payout/destination.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { Rails } from '../../rails/index.ts'
import { createLiveRails } from '../../rails/live.ts'
import type { PayoutOrder, PayoutRail } from '../../rails/payout-rail.ts'
import type { ChargeOrder, ConversionOrder, Rail, RefundOrder, SetupOrder } from '../../rails/rail.ts'
import { callRail, RailUnavailable } from '../../rails/rail-refusal.ts'

type Call = (...args: never[]) => Promise<unknown>

test('without a provider every live call fails as if unavailable: none is simulated', async () => {
  const none = createLiveRails({ stripe: null, paystack: null }, { warn: () => undefined })
  const { of, paying, vaultOf, cardSetupsOf, virtualAccounts, conversions, holders } = none
  const { serves, paysOut, savesCardsAlone, opensAccounts, namesHolders, exchanges } = none
  assert.deepEqual([serves, paysOut, savesCardsAlone], [[], [], []])
  assert.deepEqual([opensAccounts, namesHolders, exchanges], [false, false, false])
  const ofCorridors = corridorKeys.flatMap((key) => [of(key), vaultOf(key), cardSetupsOf(key)])
  const ofPayouts = destinationTypes.map((type) => paying(type, 'NGN'))
  const all: object[] = [...ofCorridors, ...ofPayouts, virtualAccounts, conversions, holders]
  const calls = all.flatMap((each) => Object.values(each) as Call[])
  assert.ok(calls.length > corridorKeys.length * 6)
  for (const call of calls) await assert.rejects(callRail(call), RailUnavailable)
})

test('why a vault has kept nothing is logged, and the buyer who waits is asked to try again', async () => {
  const told: object[] = []
  const { vaultOf } = createLiveRails({ stripe: null, paystack: null }, { warn: (about) => void told.push(about) })
  await assert.rejects(
    vaultOf('USD_CARD').keepPhone('+2348031234567'),
    (error) => error instanceof Refusal && error.code === 'SERVICE_UNAVAILABLE',
  )
  assert.equal(told.length, 1)
  const [{ err = null }] = told as [{ err?: unknown }]
  assert.ok(err instanceof Error && err.message === 'no live rail is connected for this')
})

type Orders<E extends Environment> = {
  charge: ChargeOrder<E>
  setup: SetupOrder<E>
  refund: RefundOrder<E>
  payout: PayoutOrder<E>
  conversion: ConversionOrder<E>
}

/** Never called: the compiler refuses each marked line, and refuses the file if one of them compiles. */
export async function refused(rails: Rails, sandbox: Orders<'sandbox'>, live: Orders<'live'>): Promise<void> {
  // @ts-expect-error -- the look-up names no environment
  rails.in()
  // @ts-expect-error -- a charge of the sandbox at a live rail
  await rails.in('live').of('USD_CARD').charge(sandbox.charge, 0)
  // @ts-expect-error -- a live charge at a simulator
  await rails.in('sandbox').of('USD_CARD').charge(live.charge, 0)
  // @ts-expect-error -- a card setup of the sandbox at a live rail
  await rails.in('live').cardSetupsOf('USD_CARD').setUp(sandbox.setup)
  // @ts-expect-error -- a refund of the sandbox at a live rail
  await rails.in('live').of('USD_CARD').refund(sandbox.refund)
  // @ts-expect-error -- a payout of the sandbox at a live rail
  await rails.in('live').paying('bank_account', 'NGN').payOut(sandbox.payout, 0)
  // @ts-expect-error -- a conversion of the sandbox at a live rail
  await rails.in('live').conversions.convert(sandbox.conversion)
}

/** The same where the environment is known only at run time. */
export async function refusedAtRun<E extends Environment, F extends Environment>(
  rails: Rails,
  row: { environment: Environment },
  [order, unknown, other]: [ChargeOrder<E>, ChargeOrder, ChargeOrder<F>],
): Promise<void> {
  await rails.in(order.environment).of('USD_CARD').charge(order, 0)
  // @ts-expect-error -- nothing says that the row and the order are of one environment
  await rails.in(row.environment).of('USD_CARD').charge(unknown, 0)
  // @ts-expect-error -- another order at the rail of the first one
  await rails.in(order.environment).of('USD_CARD').charge(other, 0)
}

/** A rail of one environment cannot be used as a rail of the other, or as one of both. */
export function refusedAsAnother(live: Rail<'live'>, livePayouts: PayoutRail<'live'>): unknown[] {
  // @ts-expect-error -- a live rail as a simulator
  const simulator: Rail<'sandbox'> = live
  // @ts-expect-error -- a live rail as one that takes any order
  const either: Rail<Environment> = live
  // @ts-expect-error -- a live payout rail as one that takes any order
  const payouts: PayoutRail<Environment> = livePayouts
  return [simulator, either, payouts]
}
