import Type from 'typebox'
import type { EntityManager } from '../../db/core/database.ts'
import { readSettings } from '../../db/platform/account-settings.ts'
import { Customer, lockCustomer } from '../../db/customer/customer.ts'
import { localeOfCustomer } from '../../db/subscription/sale-locale.ts'
import { Refusal } from '../../domain/refusal.ts'
import { UpdateCustomer } from '../../schemas/customer.ts'
import { Portal, presentPortal } from '../../schemas/subscription/portal.ts'
import { maySaveCards } from '../checkout/sale-payable.ts'
import { editCustomer } from '../customer.ts'
import { type Caller, operation } from '../http/operation.ts'
import type { Services } from '../http/services.ts'
import { assertAllowed, onPortal, ownOf, portalPath, sessionOf } from './portal.ts'

export const getPortal = operation({
  ...onPortal,
  method: 'get',
  path: `${portalPath}/me`,
  summary: 'Read the customer, the merchant and what the session is for',
  returns: [200, Portal],
  refuses: [],

  async handle({ caller, em, services }) {
    const customer = await em.findOneOrFail(Customer, { id: ownOf(caller).customerId })
    return show(em, caller, customer, services)
  },
})

const { metadata: _, ...ownFields } = UpdateCustomer.properties
const ChangePortalCustomer = Type.Object(ownFields, { $id: 'ChangePortalCustomer' })

export const changePortalCustomer = operation({
  ...onPortal,
  method: 'patch',
  path: `${portalPath}/me`,
  summary: 'Change the own name, phone number, address and language; fields that are left out keep their values',
  body: ChangePortalCustomer,
  returns: [200, Portal],
  refuses: ['FORBIDDEN'],

  async handle({ body, caller, em, now, services }) {
    await assertAllowed(em, caller, 'details', null)
    const customer = await lockCustomer(em, caller, ownOf(caller).customerId)
    if (!customer) throw new Refusal('NOT_FOUND', 'no such customer')
    await editCustomer(em, customer, body, now)
    return show(em, caller, customer, services)
  },
})

async function show(em: EntityManager, caller: Caller, customer: Customer, services: Services) {
  const [merchant, locale] = [await readSettings(em, caller), await localeOfCustomer(em, ownOf(caller))]
  const { publicUrl } = services.config
  const canAddCards = await maySaveCards({ em, services }, caller)
  return presentPortal(await sessionOf(caller, em), customer, { merchant, publicUrl, locale, canAddCards })
}
