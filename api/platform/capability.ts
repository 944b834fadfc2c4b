import Type from 'typebox'
import { viewOfCapability } from '../../commands/platform/account-views.ts'
import { changeAccount } from '../../commands/platform/change-account.ts'
import { capabilities, type Capability as Named } from '../../domain/platform/capability.ts'
import { Refusal } from '../../domain/refusal.ts'
import { Capability } from '../../schemas/platform/account.ts'
import { page, pageQuery } from '../../schemas/common.ts'
import { isOneOf } from '../../domain/narrow.ts'
import { auditCaller } from '../http/audit-caller.ts'
import { operation } from '../http/operation.ts'
import { pageOfAll } from '../http/pagination.ts'
import { applyRequests } from './account-statement.ts'
import { AccountId, findFile, lockReachable, onAccounts, onOneAccount, readsAccounts, writesAccounts } from './reach.ts'

export const listCapabilities = operation({
  ...onOneAccount,
  ...readsAccounts,
  method: 'get',
  path: '/v1/accounts/{account_id}/capabilities',
  summary: 'List the capabilities of an account, each with what it still needs',
  params: AccountId,
  query: Type.Object(pageQuery),
  returns: [200, Type.Object(page(Capability).properties, { $id: 'Capabilities' })],
  refuses: ['NOT_FOUND'],

  async handle({ params, query, caller, em, now, services }) {
    const file = await findFile(em, caller, params.account_id)
    const { rows, pagination } = pageOfAll('capabilities', capabilities, placeOf, query, services)
    return { items: rows.map((capability) => viewOfCapability(file, capability, now)), pagination }
  },
})

/** They are listed in the order of their table. */
const placeOf = (capability: Named): string => String(capabilities.indexOf(capability)).padStart(3, '0')

const NamedCapability = Type.Object({
  ...AccountId.properties,
  capability: Type.String({ maxLength: 64, examples: ['payouts'] }),
})

/** The capability of a path. A name that does not exist is refused like any other thing that does not. */
function knownCapability(name: string) {
  if (!isOneOf(capabilities, name)) throw new Refusal('NOT_FOUND', 'no such capability')
  return name
}

export const getCapability = operation({
  ...onOneAccount,
  ...readsAccounts,
  method: 'get',
  path: '/v1/accounts/{account_id}/capabilities/{capability}',
  summary: 'Read a capability of an account, with what it still needs',
  params: NamedCapability,
  returns: [200, Capability],
  refuses: ['NOT_FOUND'],

  async handle({ params, caller, em, now }) {
    const file = await findFile(em, caller, params.account_id)
    return viewOfCapability(file, knownCapability(params.capability), now)
  },
})

export const requestCapability = operation({
  ...onAccounts,
  ...writesAccounts,
  method: 'post',
  path: '/v1/accounts/{account_id}/capabilities/{capability}',
  summary: 'Ask for a capability of an account, or no longer',
  params: NamedCapability,
  body: Type.Object({ requested: Type.Boolean() }, { $id: 'RequestCapability' }),
  returns: [200, Capability],
  refuses: ['NOT_FOUND', 'CONFLICT'],

  async handle({ params, body, caller, em, now }) {
    const file = await lockReachable(em, caller, params.account_id)
    const capability = knownCapability(params.capability)
    if (file.profile.status === 'rejected') throw new Refusal('CONFLICT', 'the account was rejected')
    await changeAccount(em, file, () => applyRequests(file, { [capability]: { requested: body.requested } }), now)
    const action = body.requested ? 'account.capability_requested' : 'account.capability_withdrawn'
    auditCaller(em, caller, { action, target: file.account.id }, now)
    return viewOfCapability(file, capability, now)
  },
})
