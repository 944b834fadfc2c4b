import type { Environment } from '../../../domain/access/scope.ts'
import { newId } from '../../../domain/id.ts'
import { buyer } from '../merchant.ts'
import { make, type Makers, type Owner, type Routes } from '../resource.ts'

async function addCustomer({ keys }: Owner, environment: Environment) {
  const email = `${newId('cust', Date.now())}@example.com`
  return { id: await make(keys[environment].merchant, '/v1/customers', { email }, 'customer_id') }
}

const billing_address = { line1: '12 Marina Road', city: 'Lagos', country: 'NG' }

export const makers: Makers = {
  customer_id: {
    prefix: 'cust',
    make: (_stack, owner, environment) => addCustomer(owner, environment),
    makeByCalls: (_stack, owner) => addCustomer(owner, 'sandbox'),
  },
}

export const routes: Routes = {
  'POST /v1/customers': {
    body: { email: buyer.email },
    bodies: () => [
      { ...buyer, phone_number: '+2348012345678', metadata: { a: 'b' }, billing_address, locale: 'fr-CI' },
    ],
  },
  'GET /v1/customers': {},
  'GET /v1/customers/{customer_id}': {},
  'GET /v1/customers/{customer_id}/payment-methods': {},
  'POST /v1/customers/{customer_id}/payment-methods': { body: { payment_method_id: newId('pm', Date.now()) } },
  'PATCH /v1/customers/{customer_id}': {
    body: { name: 'Ada Changed' },
    bodies: () => [{ name: 'Ada', metadata: { a: 'b' }, billing_address, locale: 'fr-CI' }],
  },
}
