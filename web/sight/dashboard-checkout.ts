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
import { type Edits, editsOf, openedWith } from '../opened-form.ts'
import { notSaved } from './edit-form.ts'
import { corridorName } from './payment-words.ts'

/** The settings as the API has them; its schema names the corridors one by one. */
type Settings = Omit<Static<typeof CheckoutSettings>, 'enabled_payment_methods'> & {
  enabled_payment_methods: Record<Corridor, CorridorSetting>
}

const fee = 'fee_preference'
/** The settings as texts: each corridor and each coin is `on` or `off`, beside who pays the fees. */
type Typed = Record<Corridor | CryptoAsset | typeof fee, string>

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
    const edits = editsOf(form, typedIn(form), typedOf(answer.body), { [fee]: feeWordsOf })
    const { typed, errors } = edits
    if (form.get('step') === 'back') return showSettings(ctx, answer.body, { typed })
    if (Object.keys(errors).length > 0)
      return showSettings(ctx, answer.body, { typed, ...notSaved({ errors, problem: null, status: 409 }) })
    const body = bodyOf(edits)
    // In test mode every method stays offered, so only live sales can be stopped by this form.
    const stops = personOf(ctx)?.environment === 'live' && !takesPayments(body.enabled_payment_methods)
    if (stops && form.get('step') !== 'send') return show(ctx, confirmation(folder, form))
    const saved = await sessions.call<Settings>(ctx, 'PUT', path, body)
    if (saved.ok) return goTo(ctx, `${folder}?done=saved`)
    if (isUnread(saved.refused)) return showUnread(site, ctx, saved.refused)
    showSettings(ctx, answer.body, { typed, ...refusedForm(saved.refused, fieldWords) })
  })
}

type Shown = Partial<FormResult> & { typed?: Typed; notice?: string | null }

const fieldWords = { fee_preference: 'Choose one of these.' }

const feeNames: Record<FeePreference, string> = {
  org_pays: 'Your organization: they are taken out of what you receive',
  customer_pays: 'The buyer: they are added to what the buyer pays',
}

const feeWordsOf = (text: string): string =>
  isOneOf(['org_pays', 'customer_pays'] as const, text) ? feeNames[text] : text

const typedBy = (isOn: (key: Corridor) => boolean, takes: (asset: CryptoAsset) => boolean, feeText: string): Typed =>
  Object.fromEntries([
    ...corridorKeys.map((key) => [key, isOn(key) ? 'on' : 'off']),
    ...assetKeys.map((asset) => [asset, takes(asset) ? 'on' : 'off']),
    [fee, feeText],
  ]) as Typed

function typedIn(form: URLSearchParams): Typed {
  const [on, assets] = [form.getAll('on'), form.getAll('asset')]
  return typedBy(
    (key) => on.includes(key),
    (asset) => assets.includes(asset),
    form.get(fee) ?? '',
  )
}

const typedOf = ({ enabled_payment_methods: settings, fee_preference: feeText }: Settings): Typed =>
  typedBy(
    (key) => settings[key].enabled,
    (asset) => settings.CRYPTO.currencies?.[asset] ?? true,
    feeText,
  )

/** What is set now with the changes of a form, so that two people who change different things keep both changes. */
function bodyOf({ typed, changed }: Edits<keyof Typed>) {
  const currencies = Object.fromEntries(assetKeys.map((asset) => [asset, typed[asset] === 'on']))
  const enabled = corridorKeys.map((key): [Corridor, CorridorSetting] => [
    key,
    { enabled: typed[key] === 'on', ...(key === 'CRYPTO' && { currencies }) },
  ])
  return {
    enabled_payment_methods: Object.fromEntries(enabled) as Record<Corridor, CorridorSetting>,
    ...(changed.includes(fee) && { fee_preference: typed[fee] }),
  }
}

/** Whether a live session could be paid by any method. Crypto that is on without a coin is off. */
const takesPayments = (settings: Record<Corridor, CorridorSetting>): boolean =>
  corridorKeys.some(
    (key) => settings[key].enabled && (key !== 'CRYPTO' || Object.values(settings[key].currencies ?? {}).some(Boolean)),
  )

function confirmation(folder: string, form: URLSearchParams) {
  const values = [...form].filter(([name]) => ['on', 'asset', fee, 'opened_with'].includes(name))
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
  const typed = shown.typed ?? now
  const keysOf = (method: string) => corridorKeys.filter((key) => corridorOf(key).method === method)
  const data = {
    isSignedIn: true,
    at: checkoutLink.path,
    mayChange,
    groups: methods.map((method) => ({
      name: methodName(method),
      boxes: keysOf(method).map((key) => ({ key, name: corridorName(key), isOn: typed[key] === 'on' })),
    })),
    coins: assetKeys.map((asset: CryptoAsset) => ({
      asset,
      name: assetName(asset, english.say),
      isOn: typed[asset] === 'on',
    })),
    fees: Object.entries(feeNames),
    fee: typed[fee],
    feeWords: feeWordsOf(typed[fee]),
    isStopped: !takesPayments(settings.enabled_payment_methods),
    opened: openedWith(now),
    ...shown,
  }
  return pageOf('dashboard/settings-checkout', 'Checkout', data, shown.status ?? 200)
}
