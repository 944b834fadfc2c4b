import Type from 'typebox'
import { Payment } from '../../db/checkout/payment.ts'
import { Account } from '../../db/core/account.ts'
import { Dispute } from '../../db/dispute/dispute.ts'
import { Refusal } from '../../domain/refusal.ts'
import { idParameter } from '../../schemas/common.ts'
import { presentDispute } from '../../schemas/dispute/dispute.ts'
import { StaffDispute } from '../../schemas/sight/staff-dispute.ts'
import { showPayment } from '../checkout/payment.ts'
import { showDocuments } from '../dispute/document.ts'
import { operation } from '../http/operation.ts'
import { forStaff } from '../http/staff.ts'
import { showStaffTimeline } from './timeline.ts'

export const readStaffDispute = operation({
  ...forStaff,
  method: 'get',
  path: '/api/v1/admin/disputes/{dispute_id}',
  summary: 'Read a dispute with its payment, account, documents and timeline, and what staff can do now',
  params: Type.Object({ dispute_id: idParameter('dsp') }),
  returns: [200, StaffDispute],
  refuses: ['FORBIDDEN', 'NOT_FOUND'],

  async handle({ params, caller, em, now, services }) {
    const row = await em.findOne(Dispute, { id: params.dispute_id })
    if (!row) throw new Refusal('NOT_FOUND', 'no such dispute')
    const { id, accountId, paymentId, environment, networkId } = row
    const account = await em.findOneOrFail(Account, { id: accountId })
    return {
      dispute: presentDispute(row),
      network_dispute_id: networkId,
      payment: await showPayment(em, await em.findOneOrFail(Payment, { id: paymentId }), services),
      account: { account_id: accountId, name: account.name },
      environment,
      documents: await showDocuments(em, services, id),
      timeline: await showStaffTimeline({ caller, em, now, services }, id),
    }
  },
})
