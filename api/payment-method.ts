import { PaymentMethods, presentPaymentMethods } from '../schemas/payment-method.ts'
import { operation } from './operation.ts'

export const listPaymentMethods = operation({
  method: 'get',
  path: '/v1/payment-methods',
  summary: 'List the ways to pay, with their currencies',
  tag: 'Payments',
  auth: ['none'],
  scope: null,
  returns: [200, PaymentMethods],
  refuses: [],

  handle: async () => presentPaymentMethods(),
})
