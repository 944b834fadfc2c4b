import { disputing } from '../dispute.ts'
import type { Stories } from '../examples.ts'
import { until } from '../until.ts'
import { pdf, sendFile } from '../upload.ts'

export const stories: Stories = {
  async disputes({ show, known, merchant }) {
    const raised = await show('POST /v1/test-helpers/payments/{payment_id}/dispute', {
      params: { payment_id: await merchant.chargeByCard() },
      body: { reason: 'product_not_received' },
    })
    known['dispute_id'] = String(raised['dispute_id'])
    const file = (await sendFile(merchant, pdf, 'receipt.pdf')).body['upload_id']
    const attached = await show('POST /v1/disputes/{dispute_id}/documents', { body: { file, purpose: 'receipt' } })
    known['document_id'] = String(attached['document_id'])
    await show('GET /v1/disputes/{dispute_id}/documents/{document_id}')
    await show('PATCH /v1/disputes/{dispute_id}/evidence', {
      body: { uncategorized_text: 'The parcel was handed over on Monday, see the receipt.', submit: true },
    })
    const isSent = async () => (await disputing(merchant).read(String(raised['dispute_id']))).status === 'under_review'
    await until(isSent, 'the network looks at the evidence')
    await show('POST /v1/test-helpers/disputes/{dispute_id}/settle', { body: { outcome: 'won' } })
    const lost = await disputing(merchant).raise(await merchant.chargeByCard())
    await show('POST /v1/disputes/{dispute_id}/accept', { params: { dispute_id: lost.dispute_id } })
    known['dispute_id'] = String(raised['dispute_id'])
  },
}
