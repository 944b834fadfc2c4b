import { LockMode } from '@mikro-orm/core'
import Type from 'typebox'
import { Account } from '../../db/core/account.ts'
import { CheckoutSettings as SettingsRow } from '../../db/checkout/settings.ts'
import type { Tenant } from '../../db/core/columns.ts'
import type { EntityManager } from '../../db/core/database.ts'
import type { FeePreference as FeeBearer } from '../../domain/corridor.ts'
import { type CorridorSetting, type MethodSettings, settingsInForce } from '../../domain/checkout/method-settings.ts'
import { CheckoutSettings, EnabledPaymentMethods, FeePreference } from '../../schemas/checkout/settings.ts'
import { operation } from '../http/operation.ts'

const ChangeSettings = Type.Object(
  {
    enabled_payment_methods: Type.Optional(EnabledPaymentMethods),
    fee_preference: Type.Optional(FeePreference),
  },
  { $id: 'ChangeCheckoutSettings' },
)

const path = '/v1/accounts/checkout/settings'
const tag = 'Checkout settings'

/** The account and its settings in this environment. With the account locked, two first writers run one by one. */
async function settingsOf(em: EntityManager, { accountId, environment }: Tenant, lockMode?: LockMode) {
  const account = await em.findOneOrFail(Account, { id: accountId }, lockMode === undefined ? {} : { lockMode })
  return { account, row: await em.findOne(SettingsRow, { accountId, environment }) }
}

export const changeCheckoutSettings = operation({
  method: 'put',
  path,
  summary: 'Set the payment methods and who bears the fees; the methods are replaced as a whole',
  tag,
  auth: ['apiKey'],
  scope: 'accounts:write',
  body: ChangeSettings,
  validate: ({ enabled_payment_methods: methods, fee_preference: fee }) =>
    methods === undefined && fee === undefined
      ? [{ field: 'body', message: 'needs enabled_payment_methods or fee_preference', type: 'value_error.missing' }]
      : [],
  returns: [200, CheckoutSettings],
  refuses: ['NOT_FOUND'],

  async handle({ body, caller, em, now }) {
    const sent = body.enabled_payment_methods && settingsIn(body.enabled_payment_methods)
    return {
      organization_id: caller.accountId,
      enabled_payment_methods: sent ?? {},
      fee_preference: await saveSettings(em, caller, { methods: sent, feePreference: body.fee_preference }, now),
      message: 'The checkout settings are saved; sessions that exist stay as they are.',
    }
  },
})

type Sent = { methods: MethodSettings | undefined; feePreference: FeeBearer | undefined }

/** Saves the settings of the body, and returns who bears the fees now. */
async function saveSettings(em: EntityManager, { accountId, environment }: Tenant, sent: Sent, now: number) {
  const owner = { accountId, environment }
  const { account, row: known } = await settingsOf(em, owner, LockMode.PESSIMISTIC_WRITE)
  const updatedAt = new Date(now)
  const row = known ?? em.create(SettingsRow, { ...owner, methods: null, feePreference: null, updatedAt })
  if (sent.methods) row.methods = sent.methods
  if (sent.feePreference) row.feePreference = sent.feePreference
  row.updatedAt = updatedAt
  return row.feePreference ?? account.feePreference
}

/** The settings of the body, without unknown methods and currencies: these are neither stored nor returned. */
const settingsIn = (sent: MethodSettings): MethodSettings =>
  Object.fromEntries(
    Object.entries(sent).map(([key, { enabled, currencies }]): [string, CorridorSetting] => [
      key,
      { enabled, ...(key === 'CRYPTO' && currencies && { currencies }) },
    ]),
  )

export const getCheckoutSettings = operation({
  method: 'get',
  path,
  summary: 'Read the payment methods: every corridor, with your setting or the platform’s default',
  tag,
  auth: ['apiKey'],
  scope: 'accounts:read',
  returns: [200, CheckoutSettings],
  refuses: ['NOT_FOUND'],

  async handle({ caller, em }) {
    const { account, row } = await settingsOf(em, caller)
    return {
      organization_id: account.id,
      enabled_payment_methods: settingsInForce(row?.methods ?? null),
      fee_preference: row?.feePreference ?? account.feePreference,
      message: row ? 'These are the checkout settings.' : 'Nothing is set: these are the platform’s own settings.',
    }
  },
})
