import Type, { type Static } from 'typebox'
import type { Account } from '../../db/core/account.ts'
import { type AccountSettings, latePaymentPolicies } from '../../domain/platform/account-settings.ts'
import { Email, id, idParameter, nameOf, nullable } from '../common.ts'
import { FeeBearer } from '../refund/refund.ts'

const LatePaymentPolicy = Type.Enum([...latePaymentPolicies])
const dunning = Type.Array(Type.Integer({ minimum: 1, maximum: 60 }), {
  minItems: 1,
  maxItems: 10,
  description: 'Days from each failed charge of a subscription to the next try; after the last one it is canceled.',
  examples: [[2, 5, 7, 7]],
})
const timezone = { maxLength: 64, description: 'A name of the IANA database.', examples: ['Africa/Lagos'] }

export const OwnAccount = Type.Object(
  {
    account_id: id('acct'),
    name: Type.String(),
    late_payment_policy: LatePaymentPolicy,
    refund_fee_bearer: FeeBearer,
    display_name: Type.String({ description: 'The name that buyers see; by default the name of the account.' }),
    support_email: nullable(Type.String()),
    logo: nullable(id('upl')),
    accent_color: nullable(Type.String({ examples: ['#1a73e8'] })),
    timezone: Type.String(timezone),
    dunning,
    statement_text: nullable(Type.String()),
  },
  { $id: 'OwnAccount' },
)

/** A field that is left out keeps its value. Null clears an optional field. */
export const ChangeOwnAccount = Type.Partial(
  Type.Object({
    late_payment_policy: LatePaymentPolicy,
    refund_fee_bearer: FeeBearer,
    display_name: nullable(nameOf(255)),
    support_email: nullable(Email),
    logo: nullable(idParameter('upl')),
    accent_color: nullable(Type.String({ pattern: '^#[0-9a-fA-F]{6}$', examples: ['#1a73e8'] })),
    timezone: Type.String(timezone),
    dunning,
    statement_text: nullable(
      Type.String({
        pattern: '^[A-Za-z][A-Za-z0-9 .,&-]{3,20}[A-Za-z0-9.]$',
        examples: ['ACME STORE'],
        description: 'The text on card statements: 5 to 22 letters, digits, spaces and . , & -, a letter first.',
      }),
    ),
  }),
  { $id: 'ChangeOwnAccount' },
)

export const presentOwnAccount = (settings: AccountSettings & { account: Account }): Static<typeof OwnAccount> => ({
  account_id: settings.account.id,
  name: settings.account.name,
  late_payment_policy: settings.latePaymentPolicy,
  refund_fee_bearer: settings.refundFeeBearer,
  display_name: settings.displayName,
  support_email: settings.supportEmail,
  logo: settings.logo,
  accent_color: settings.accentColor,
  timezone: settings.timezone,
  dunning: settings.dunning,
  statement_text: settings.statementText,
})
