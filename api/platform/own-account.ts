import type { Static } from 'typebox'
import { Account } from '../../db/core/account.ts'
import { noSettings, OwnSettings, readSettings, settingsInForce } from '../../db/platform/account-settings.ts'
import type { Tenant } from '../../db/core/columns.ts'
import { type EntityManager, lock } from '../../db/core/database.ts'
import { changeAttachments } from '../../db/catalogue/upload.ts'
import { isTimezone } from '../../domain/platform/account-settings.ts'
import type { FieldError } from '../../domain/refusal.ts'
import { isImage } from '../../domain/catalogue/upload.ts'
import { ChangeOwnAccount, OwnAccount, presentOwnAccount } from '../../schemas/platform/own-account.ts'
import { auditCaller } from '../http/audit-caller.ts'
import { operation } from '../http/operation.ts'
import { assertValid } from '../http/validate.ts'

const path = '/v1/account'
const shared = { tag: 'Own account', auth: ['apiKey'] } as const

export const getOwnAccount = operation({
  ...shared,
  method: 'get',
  path,
  summary: 'Read the account’s settings in this environment',
  scope: 'accounts:read',
  returns: [200, OwnAccount],
  refuses: ['NOT_FOUND'],

  handle: async ({ caller, em }) => presentOwnAccount(await readSettings(em, caller)),
})

type Body = Static<typeof ChangeOwnAccount>

export const changeOwnAccount = operation({
  ...shared,
  method: 'patch',
  path,
  summary: 'Change the account’s settings in this environment; fields that are left out keep their values',
  scope: 'accounts:write',
  body: ChangeOwnAccount,
  validate: ({ timezone }) => validateTimezone(timezone),
  returns: [200, OwnAccount],
  refuses: ['NOT_FOUND'],

  async handle({ body, caller, em, now, services }) {
    const account = await lock(em, Account, caller.accountId) // also makes two first writers run one by one
    const { accountId, environment } = caller
    const known = await em.findOne(OwnSettings, { accountId, environment })
    const before = settingsInForce(account, known)
    const updatedAt = new Date(now)
    const row = known ?? em.create(OwnSettings, { accountId, environment, ...noSettings, updatedAt })
    if (body.logo !== undefined) await showLogo(em, row, body.logo, await services.clock.now())
    Object.assign(row, settingsIn(body), { updatedAt })
    const after = settingsInForce(account, row)
    const isChanged = JSON.stringify(presentOwnAccount(before)) !== JSON.stringify(presentOwnAccount(after))
    if (isChanged) auditCaller(em, caller, { action: 'account_settings.changed', target: accountId }, now)
    return presentOwnAccount(after)
  },
})

const validateTimezone = (timezone: unknown): FieldError[] =>
  typeof timezone !== 'string' || isTimezone(timezone)
    ? []
    : [{ field: 'timezone', message: 'must be a name of the IANA database', type: 'value_error.format' }]

/** The settings of the body without the logo, named as the row's properties. */
const settingsIn = (body: Body) => ({
  ...(body.late_payment_policy && { latePaymentPolicy: body.late_payment_policy }),
  ...(body.refund_fee_bearer && { refundFeeBearer: body.refund_fee_bearer }),
  ...(body.display_name !== undefined && { displayName: body.display_name }),
  ...(body.support_email !== undefined && { supportEmail: body.support_email?.toLowerCase() ?? null }),
  ...(body.accent_color !== undefined && { accentColor: body.accent_color?.toLowerCase() ?? null }),
  ...(body.timezone && { timezone: body.timezone }),
  ...(body.dunning && { dunning: body.dunning }),
  ...(body.statement_text !== undefined && { statementText: body.statement_text }),
})

/** Sets the logo to an upload of the account's own. An upload is not deleted while it is the logo. */
async function showLogo(em: EntityManager, row: OwnSettings, logo: string | null, at: number): Promise<void> {
  const idsOf = (one: string | null) => (one === null ? [] : [one])
  const tenant: Tenant = { accountId: row.accountId, environment: row.environment }
  const attached = { before: idsOf(row.logoId), after: idsOf(logo), visibility: 'public' } as const
  const uploads = await changeAttachments(em, tenant, attached, at)
  const upload = logo === null ? null : uploads.get(logo)
  if (upload === undefined) assertValid([error('must be an upload of this account')])
  if (upload && !isImage(upload.contentType)) assertValid([error('must be an image')])
  row.logoId = logo
}

const error = (message: string): FieldError => ({ field: 'logo', message, type: 'value_error' })
