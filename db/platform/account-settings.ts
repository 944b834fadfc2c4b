import { defineEntity, p } from '@mikro-orm/core'
import { type AccountSettings, latePaymentPolicies, platformSettings } from '../../domain/platform/account-settings.ts'
import { feeBearers } from '../../domain/refund.ts'
import { environments } from '../../domain/access/scope.ts'
import { Account } from '../core/account.ts'
import { isOwned, moment, type Tenant } from '../core/columns.ts'
import type { EntityManager } from '../core/database.ts'
import { readRow } from '../core/prepared-statement.ts'

const schema = defineEntity({
  name: 'OwnSettings',
  tableName: 'account_settings',
  properties: {
    accountId: p.string().primary().check(isOwned),
    environment: p.enum(environments).primary(),
    // Null: the value of the account applies, or else that of the platform.
    latePaymentPolicy: p.enum(latePaymentPolicies).strictNullable(),
    refundFeeBearer: p.enum(feeBearers).strictNullable(),
    displayName: p.string().length(255).strictNullable(),
    supportEmail: p.string().length(320).strictNullable(),
    logoId: p.string().strictNullable(),
    accentColor: p.string().length(7).strictNullable(),
    timezone: p.string().length(64).strictNullable(),
    dunning: p.json<number[]>().strictNullable(),
    statementText: p.string().length(22).strictNullable(),
    updatedAt: moment(),
  },
})
/** An account's settings in one environment. Changes in the sandbox do not affect live. */
export class OwnSettings extends schema.class {}
schema.setClass(OwnSettings)

export const noSettings = {
  latePaymentPolicy: null,
  refundFeeBearer: null,
  displayName: null,
  supportEmail: null,
  logoId: null,
  accentColor: null,
  timezone: null,
  dunning: null,
  statementText: null,
} as const

/** The settings of an account that are in force in an environment. */
export async function readSettings(
  em: EntityManager,
  { accountId, environment }: Tenant,
): Promise<AccountSettings & { account: Account }> {
  const account = await em.findOneOrFail(Account, { id: accountId })
  return settingsInForce(account, await readRow(em, OwnSettings, { accountId, environment }))
}

/** The settings in force for an account with these settings of its own, or with none. */
export function settingsInForce(account: Account, own: OwnSettings | null): AccountSettings & { account: Account } {
  return {
    account,
    latePaymentPolicy: own?.latePaymentPolicy ?? account.latePaymentPolicy,
    refundFeeBearer: own?.refundFeeBearer ?? account.refundFeeBearer,
    displayName: own?.displayName ?? account.name,
    supportEmail: own?.supportEmail ?? null,
    logo: own?.logoId ?? null,
    accentColor: own?.accentColor ?? null,
    timezone: own?.timezone ?? platformSettings.timezone,
    dunning: own?.dunning ?? platformSettings.dunning,
    statementText: own?.statementText ?? null,
  }
}
