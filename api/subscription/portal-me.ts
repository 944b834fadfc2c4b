import Type from 'typebox'
import { readSettings } from '../../db/platform/account-settings.ts'
import { Customer, lockCustomer } from '../../db/customer.ts'
import { Refusal } from '../../domain/refusal.ts'
import { UpdateCustomer } from '../../schemas/customer.ts'
import { Portal, presentPortal } from '../../schemas/subscription/portal.ts'
import { editCustomer } from '../customer.ts'
import { operation } from '../http/operation.ts'
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
    const merchant = await readSettings(em, caller)
    return presentPortal(await sessionOf(caller, em), customer, merchant, services.config.publicUrl)
  },
})

const { metadata: _, ...ownFields } = UpdateCustomer.properties
const ChangePortalCustomer = Type.Object(ownFields, { $id: 'ChangePortalCustomer' })

export const changePortalCustomer = operation({
  ...onPortal,
  method: 'patch',
  path: `${portalPath}/me`,
  summary: 'Change the own name, phone number and address; fields that are left out keep their values',
  body: ChangePortalCustomer,
  returns: [200, Portal],
  refuses: ['FORBIDDEN'],

  async handle({ body, caller, em, now, services }) {
    await assertAllowed(em, caller, 'details', null)
    const customer = await lockCustomer(em, caller, ownOf(caller).customerId)
    if (!customer) throw new Refusal('NOT_FOUND', 'no such customer')
    await editCustomer(em, customer, body, now)
    const merchant = await readSettings(em, caller)
    return presentPortal(await sessionOf(caller, em), customer, merchant, services.config.publicUrl)
  },
})
