import { sumPayments } from '../../db/checkout/summary.ts'
import { presentSummary, Summary } from '../../schemas/checkout/summary.ts'
import { operation } from '../http/operation.ts'

export const getSummary = operation({
  method: 'get',
  path: '/v1/summary',
  summary: 'Read the payments of this month so far, added up by currency, day and payment method',
  tag: 'Payments',
  auth: ['apiKey'],
  scope: 'payments:read',
  returns: [200, Summary],
  refuses: [],

  async handle({ caller, em, now }) {
    const until = new Date(now)
    const from = new Date(Date.UTC(until.getUTCFullYear(), until.getUTCMonth(), 1))
    return presentSummary(await sumPayments(em, caller, { from, until }), { from, until })
  },
})
