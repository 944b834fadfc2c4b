import { randomBytes } from 'node:crypto'
import Type, { type Static } from 'typebox'
import { ProductGroup } from '../../db/catalogue/product-group.ts'
import { hashToken } from '../../db/core/token-hash.ts'
import type { Tenant } from '../../db/core/columns.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { readRow } from '../../db/core/prepared-statement.ts'
import { Customer } from '../../db/customer/customer.ts'
import { CustomerSession as SessionRow } from '../../db/subscription/customer-session.ts'
import { Subscription } from '../../db/subscription/subscription.ts'
import { newId } from '../../domain/id.ts'
import { fieldsOf } from '../../domain/narrow.ts'
import { type FieldError, Refusal } from '../../domain/refusal.ts'
import { customerSessionMs, type Flow, flowTypes } from '../../domain/subscription/customer-session.ts'
import { idParameter, nullable, WebAddress } from '../../schemas/common.ts'
import { CustomerSession, presentCustomerSession } from '../../schemas/subscription/portal.ts'
import { operation } from '../http/operation.ts'

const GivenFlow = Type.Object(
  {
    type: Type.Enum([...flowTypes]),
    subscription_id: Type.Optional(
      nullable({ ...idParameter('sub'), description: 'Default: any subscription of the customer.' }),
    ),
    product_group_id: Type.Optional(
      nullable({ ...idParameter('pg'), description: 'For subscription_update: only to plans of this group.' }),
    ),
  },
  { $id: 'GivenPortalFlow' },
)

const CreateCustomerSession = Type.Object(
  {
    customer_id: idParameter('cust'),
    return_url: WebAddress,
    flow: Type.Optional(
      nullable({ ...GivenFlow, description: 'The one thing that the customer may change. Default: everything.' }),
    ),
  },
  { $id: 'CreateCustomerSession' },
)

function validateFlow({ flow }: Record<string, unknown>): FieldError[] {
  const { type, product_group_id: group } = fieldsOf(flow)
  if (group === undefined || group === null || type === 'subscription_update') return []
  return [{ field: 'flow.product_group_id', message: 'is for type subscription_update only', type: 'value_error' }]
}

export const createCustomerSession = operation({
  method: 'post',
  path: '/v1/customer-sessions',
  summary: 'Open the portal for a customer: a token for an hour, shown once',
  tag: 'Customer portal',
  auth: ['apiKey'],
  scope: 'customer_sessions:write',
  body: CreateCustomerSession,
  validate: validateFlow,
  returns: [201, CustomerSession],
  refuses: ['NOT_FOUND'],

  async handle({ body, caller: { accountId, environment }, em, services }) {
    const owner = { accountId, environment }
    const customer = await em.findOne(Customer, { id: body.customer_id, ...owner })
    if (!customer) throw new Refusal('NOT_FOUND', 'no such customer')
    const flow = body.flow ? await readFlow(em, owner, customer.id, body.flow) : null
    // Credentials expire by the real time, also where the account is on a test clock.
    const at = await services.clock.now()
    const id = newId('cs', at)
    const token = `${id}_secret_${randomBytes(24).toString('base64url')}`
    const session = { ...owner, id, customerId: customer.id, returnUrl: body.return_url, flow }
    const times = { createdAt: new Date(at), expiresAt: new Date(at + customerSessionMs) }
    const row = em.create(SessionRow, { ...session, ...times, tokenHash: hashToken(token) })
    return presentCustomerSession(row, token, services.config.publicUrl)
  },
})

/** The flow with its subscription, which must be this customer's, and its product group. */
async function readFlow(
  em: EntityManager,
  owner: Tenant,
  customerId: string,
  sent: Static<typeof GivenFlow>,
): Promise<Flow> {
  const { type, subscription_id: subscriptionId = null, product_group_id: groupId = null } = sent
  if (subscriptionId !== null && !(await readRow(em, Subscription, { id: subscriptionId, ...owner, customerId })))
    throw new Refusal('NOT_FOUND', 'no such subscription')
  if (groupId !== null && !(await readRow(em, ProductGroup, { id: groupId, ...owner })))
    throw new Refusal('NOT_FOUND', 'no such product group')
  return { type, subscription_id: subscriptionId, product_group_id: groupId }
}
