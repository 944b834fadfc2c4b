import type { Context } from 'koa'
import type { Static } from 'typebox'
import { type CryptoAsset, assetKeys } from '../../domain/checkout/crypto.ts'
import type { CorridorSetting } from '../../domain/checkout/method-settings.ts'
import { type Corridor, corridorKeys, corridorOf, type FeePreference, methods } from '../../domain/corridor.ts'
import { isOneOf } from '../../domain/narrow.ts'
import type { CheckoutSettings } from '../../schemas/checkout/settings.ts'
import type { Answer } from '../api.ts'
import type { FormResult } from '../form-result.ts'
import { english } from '../language.ts'
import { assetName, methodName } from '../names.ts'
import { goTo, pageOf, type Site } from '../site.ts'
import { forbidden, isUnread, mayDo, noticeIn, refusedForm } from './board-form.ts'
import { showUnread } from './dashboard-lists.ts'
import { corridorName } from './payment-words.ts'

/** The settings as the API has them; its schema names the corridors one by one. */
type Settings = Omit<Static<typeof CheckoutSettings>, 'enabled_payment_methods'> & {
  enabled_payment_methods: Record<Corridor, CorridorSetting>
}

/** The settings as their form has them: what is on, and who pays the fees. */
type Typed = { on: string[]; assets: string[]; fee: string }

export const checkoutLink = { path: '/settings/checkout', words: 'Checkout' }

const path = '/v1/accounts/checkout/settings'
const notices = { saved: 'Saved. New sessions go by it; sessions that are open stay as they are.' }

/** `/dashboard/settings/checkout`: how buyers may pay, and who pays the fees. */
export function addCheckoutSettings(site: Site): void {
  const { home, sessions, personOf, read, submit, show } = site
  const folder = home + checkoutLink.path
  const readSettings = (ctx: Context): Promise<Answer<Settings>> => sessions.call(ctx, 'GET', path)

  function showSettings(ctx: Context, settings: Settings, shown: Shown = {}): void {
    show(ctx, settingsPage(settings, mayDo(site, ctx, 'accounts:write'), shown))
  }

  read(checkoutLink.path, async (ctx) => {
    const answer = await readSettings(ctx)
    if (!answer.ok) return showUnread(site, ctx, answer.refused)
    showSettings(ctx, answer.body, { notice: noticeIn(ctx, notices) })
  })

  submit(checkoutLink.path, async (ctx, form) => {
    if (!mayDo(site, ctx, 'accounts:write')) return showUnread(site, ctx, forbidden)
    const answer = await readSettings(ctx)
    if (!answer.ok) return showUnread(site, ctx, answer.refused)
    const typed = typedIn(form)
    const before = form.get('before') ?? ''
    if (form.get('step') === 'back') return showSettings(ctx, answer.body, { typed, before })
    const body = merged(answer.body, typed, readBefore(before))
    // In test mode every method stays offered, so only live sales can be stopped by this form.
    const stops = personOf(ctx)?.environment === 'live' && !takesPayments(body.enabled_payment_methods)
    if (stops && form.get('step') !== 'send') return show(ctx, confirmation(folder, typed, before))
    const saved = await sessions.call<Settings>(ctx, 'PUT', path, body)
    if (saved.ok) return goTo(ctx, `${folder}?done=saved`)
    if (isUnread(saved.refused)) return showUnread(site, ctx, saved.refused)
    showSettings(ctx, answer.body, { typed, before, ...refusedForm(saved.refused, fieldWords) })
  })
}

type Shown = Partial<FormResult> & { typed?: Typed; before?: string; notice?: string | null }

const fieldWords = { fee_preference: 'Choose one of these.' }

const feeNames: Record<FeePreference, string> = {
  org_pays: 'Your organization: they are taken out of what you receive',
  customer_pays: 'The buyer: they are added to what the buyer pays',
}

const typedIn = (form: URLSearchParams): Typed => ({
  on: form.getAll('on'),
  assets: form.getAll('asset'),
  fee: form.get('fee_preference') ?? '',
})

const typedOf = ({ enabled_payment_methods: settings, fee_preference: fee }: Settings): Typed => ({
  on: corridorKeys.filter((key) => settings[key].enabled),
  assets: assetKeys.filter((asset) => settings.CRYPTO.currencies?.[asset]),
  fee,
})

const textOf = ({ on, assets, fee }: Typed): string => [on.join(' '), assets.join(' '), fee].join(',')

/** What the form had when it was shown, as it has sent it back. */
function readBefore(text: string): Typed {
  const [on = '', assets = '', fee = ''] = text.split(',')
  return { on: on.split(' '), assets: assets.split(' '), fee }
}

/** What is set now with the changes of a form, so that two people who change different things keep both changes. */
function merged({ enabled_payment_methods: now }: Settings, typed: Typed, before: Typed) {
  const decide = (key: string, is: boolean, part: 'on' | 'assets'): boolean => {
    const wanted = typed[part].includes(key)
    return wanted === before[part].includes(key) ? is : wanted
  }
  const currencies = Object.fromEntries(
    assetKeys.map((asset) => [asset, decide(asset, now.CRYPTO.currencies?.[asset] ?? true, 'assets')]),
  )
  const enabled = corridorKeys.map((key): [Corridor, CorridorSetting] => [
    key,
    { enabled: decide(key, now[key].enabled, 'on'), ...(key === 'CRYPTO' && { currencies }) },
  ])
  return {
    enabled_payment_methods: Object.fromEntries(enabled) as Record<Corridor, CorridorSetting>,
    ...(typed.fee !== before.fee && { fee_preference: typed.fee }),
  }
}

/** Whether a live session could be paid by any method. Crypto that is on without a coin is off. */
const takesPayments = (settings: Record<Corridor, CorridorSetting>): boolean =>
  corridorKeys.some(
    (key) => settings[key].enabled && (key !== 'CRYPTO' || Object.values(settings[key].currencies ?? {}).some(Boolean)),
  )

function confirmation(folder: string, typed: Typed, before: string) {
  const values = [
    ...typed.on.map((key) => ['on', key]),
    ...typed.assets.map((asset) => ['asset', asset]),
    ['fee_preference', typed.fee],
    ['before', before],
  ]
  const data = {
    isSignedIn: true,
    at: checkoutLink.path,
    heading: 'Switch every payment method off?',
    lines: ['No new session can be paid: your shop and your payment links stop selling until you switch a method on.'],
    action: folder,
    values,
    button: 'Switch them off',
    change: 'Change it',
    back: { link: folder, words: 'Back to the settings' },
  }
  return pageOf('dashboard/sure', data.heading, data)
}

function settingsPage(settings: Settings, mayChange: boolean, shown: Shown) {
  const now = typedOf(settings)
  const { on, assets, fee } = shown.typed ?? now
  const keysOf = (method: string) => corridorKeys.filter((key) => corridorOf(key).method === method)
  const data = {
    isSignedIn: true,
    at: checkoutLink.path,
    mayChange,
    groups: methods.map((method) => ({
      name: methodName(method),
      boxes: keysOf(method).map((key) => ({ key, name: corridorName(key), isOn: on.includes(key) })),
    })),
    coins: assetKeys.map((asset: CryptoAsset) => ({
      asset,
      name: assetName(asset, english.say),
      isOn: assets.includes(asset),
    })),
    fees: Object.entries(feeNames),
    fee,
    feeWords: isOneOf(['org_pays', 'customer_pays'] as const, fee) ? feeNames[fee] : fee,
    isStopped: !takesPayments(settings.enabled_payment_methods),
    before: textOf(now),
    ...shown,
  }
  return pageOf('dashboard/settings-checkout', 'Checkout', data, shown.status ?? 200)
}
