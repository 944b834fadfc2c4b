import type { Capability, CapabilityStatus } from '../platform/capability.ts'
import {
  type Corridor,
  corridorKeys,
  corridorOf,
  isOnByDefault,
  type MethodOptions,
  methods,
  offeredAssets,
  offeredCorridors,
} from '../corridor.ts'
import { assetKeys, type CryptoAsset } from './crypto.ts'
import { Refusal } from '../refusal.ts'
import { recordOf } from '../narrow.ts'

/** The setting of one corridor: whether it is on, and for crypto which assets are on. */
export type CorridorSetting = { enabled: boolean; currencies?: Partial<Record<CryptoAsset, boolean>> }

/** `enabled_payment_methods` as a merchant has sent it. For corridors left out the platform's default applies. */
export type MethodSettings = Partial<Record<Corridor, CorridorSetting>>

/**
 * The setting of every corridor: the merchant's, or else the platform's default (docs/contract/checkout.md, "Checkout
 * settings").
 */
export function settingsInForce(stored: MethodSettings | null): Record<Corridor, CorridorSetting> {
  return recordOf(corridorKeys, (key) => settingInForce(stored, key))
}

function settingInForce(stored: MethodSettings | null, key: Corridor): CorridorSetting {
  const { method } = corridorOf(key)
  const { enabled, currencies } = stored?.[key] ?? { enabled: isOnByDefault(method) }
  if (method !== 'crypto') return { enabled }
  return { enabled, currencies: Object.fromEntries(assetKeys.map((asset) => [asset, currencies?.[asset] ?? true])) }
}

/** The facts that decide how a live account may be paid. */
export type LiveMethods = {
  paymentsEnabled: boolean
  settings: MethodSettings | null
  statusOf(capability: Capability): CapabilityStatus
  /** The corridors that a rail of this deployment serves. */
  served: readonly Corridor[]
}

/**
 * The restriction of a live sale: what its creator allows and the account has switched on and may use. `suited` are the
 * corridors that are able to do what is sold. When nothing is left, the sale is refused with the code that says who has
 * to act.
 */
export function assertAvailable(
  suited: readonly Corridor[],
  options: MethodOptions | null,
  standing: LiveMethods,
): MethodOptions {
  const { paymentsEnabled, settings, served } = standing
  if (!paymentsEnabled) throw notLive()
  const isOn = (key: Corridor) => offeredCorridors(settingsAsOptions(settings)).includes(key)
  if (!corridorKeys.some(isOn)) throw new Refusal('CHECKOUT_HAS_NO_PAYMENT_METHOD', 'every payment method is off')
  const on = suited.filter(isOn)
  if (on.length === 0)
    throw new Refusal('ACCOUNT_PAYMENT_METHODS_RESTRICTED', 'no payment method that is on can serve this sale')
  const able = on.filter((key) => statusFor(key, standing) === 'active')
  if (able.length === 0) throw noneActive(on, standing)
  const usable = able.filter((key) => served.includes(key))
  if (usable.length === 0) throw new Refusal('CHECKOUT_HAS_NO_PAYMENT_METHOD', 'no live rail serves this sale yet')
  const left = narrowed(usable, settings, options)
  if (offeredCorridors(left).length > 0) return left
  throw nothingLeft()
}

/** The refusal of a restriction after which a session could not be paid. */
export const nothingLeft = () =>
  new Refusal(
    'CHECKOUT_RESTRICTION_LEAVES_NO_PAYMENT_METHOD',
    `payment_method_options leaves nothing payable: it may have ${methods.join(', ')}, each with the currencies ` +
      'or assets to offer, or with none for all',
  )

/**
 * Refuses to begin a live payment where the account has lost, since the session was made, what the payment needs.
 * `offered` are the corridors of the session. While another one of them may be used, the buyer is to choose that one.
 * Settings that were changed since do not count.
 */
export function assertStillAvailable(
  wanted: Corridor,
  offered: readonly Corridor[],
  standing: Pick<LiveMethods, 'paymentsEnabled' | 'statusOf'>,
): void {
  if (!standing.paymentsEnabled) throw notLive()
  if (statusFor(wanted, standing) === 'active') return
  if (offered.some((key) => statusFor(key, standing) === 'active')) {
    throw new Refusal('PAYMENT_METHOD_NOT_ALLOWED', 'this payment method is not available now: choose another')
  }
  throw noneActive(offered, standing)
}

/** The corridors that a live session can be paid with now, of those it offers. */
export const stillAvailable = <T extends Corridor>(
  offered: readonly T[],
  standing: Pick<LiveMethods, 'paymentsEnabled' | 'statusOf'>,
): T[] => (standing.paymentsEnabled ? offered.filter((key) => statusFor(key, standing) === 'active') : [])

/** The capability that an account needs to be paid by a corridor. */
export const capabilityFor = (key: Corridor): Capability => `${corridorOf(key).method}_payments`

const statusFor = (key: Corridor, { statusOf }: Pick<LiveMethods, 'statusOf'>): CapabilityStatus =>
  statusOf(capabilityFor(key))

const notLive = () => new Refusal('ACCOUNT_NOT_ACTIVATED', 'this account does not take live payments yet')

/** The refusal where none of these corridors is active: it says whether one was restricted, or none is active yet. */
const noneActive = (keys: readonly Corridor[], standing: Pick<LiveMethods, 'statusOf'>) =>
  keys.some((key) => statusFor(key, standing) === 'restricted')
    ? new Refusal('ACCOUNT_PAYMENT_METHODS_RESTRICTED', 'every payment method for this sale is restricted')
    : new Refusal('ACCOUNT_NOT_ACTIVATED', 'no payment method for this sale is active yet')

/** The settings in the form of a restriction. Crypto that is on without any asset counts as off. */
const settingsAsOptions = (settings: MethodSettings | null): MethodOptions => narrowed(corridorKeys, settings, null)

/** The part of a restriction that remains for these corridors and settings. */
function narrowed(keys: readonly Corridor[], settings: MethodSettings | null, options: MethodOptions | null) {
  const inForce = settingsInForce(settings)
  const left: MethodOptions = {}
  for (const key of offeredCorridors(options).filter((each) => keys.includes(each) && inForce[each].enabled)) {
    const { method, currency } = corridorOf(key)
    const assets = offeredAssets(options).filter((asset) => inForce.CRYPTO.currencies?.[asset])
    const currencies = method === 'crypto' ? assets : [...(left[method]?.currencies ?? []), currency]
    if (currencies.length > 0) left[method] = { currencies } // an empty list would mean all currencies
  }
  return left
}
