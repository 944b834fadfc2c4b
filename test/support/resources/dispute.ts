import type { Environment } from '../../../domain/access/scope.ts'
import { newId } from '../../../domain/id.ts'
import { disputing } from '../dispute.ts'
import { make, type Made, makePayment, type Makers, type Owner, type Processes, type Routes } from '../resource.ts'
import type { Stack } from '../stack.ts'
import { pdf, sendFile } from '../upload.ts'

/** A dispute that was withdrawn before it held anything, as the service writes it; nothing is posted. */
async function makeDispute(stack: Stack, owner: Owner, environment: Environment): Promise<string> {
  const id = newId('dsp', Date.now())
  const paymentId = await makePayment(stack, owner, environment)
  await stack.sql(
    `insert into disputes (id, account_id, environment, payment_id, network_id, corridor, status, amount, currency, fee,
       reason, prefilled, evidence, evidence_due_at, resolution, resolved_at, created_at, updated_at)
     values (?, ?, ?, ?, ?, 'USD_CARD', 'won', 10, 'USD', 0, 'fraudulent', '{}', '{}', now() + interval '14 days',
       'withdrawn', now(), now(), now())`,
    [id, owner.accountId, environment, paymentId, id],
  )
  return id
}

async function makeDocument(stack: Stack, owner: Owner, environment: Environment): Promise<Made> {
  const [id, upload] = [newId('doc', Date.now()), newId('upl', Date.now())]
  const disputeId = await makeDispute(stack, owner, environment)
  await stack.sql(
    `insert into uploads (id, account_id, environment, file_name, content_type, size, sha256, attachments, visibility,
       created_at) values (?, ?, ?, 'a.pdf', 'application/pdf', 1, '', 1, 'private', now())`,
    [upload, owner.accountId, environment],
  )
  await stack.sql(
    `insert into documents (id, account_id, environment, subject, subject_id, slot, upload_id, file_name, created_at)
     values (?, ?, ?, 'dispute', ?, 'receipt', ?, 'a.pdf', now())`,
    [id, owner.accountId, environment, disputeId, upload],
  )
  return { id, parents: { dispute_id: disputeId } }
}

const raise = async ({ keys }: Owner): Promise<string> => {
  const { merchant } = keys.sandbox
  return (await disputing(merchant).raise(await merchant.chargeByCard())).dispute_id
}

export const makers: Makers = {
  dispute_id: {
    prefix: 'dsp',
    make: async (...of) => ({ id: await makeDispute(...of) }),
    makeByCalls: async (_stack, owner) => ({ id: await raise(owner) }),
  },
  document_id: {
    prefix: 'doc',
    make: makeDocument,
    async makeByCalls(_stack, owner) {
      const { merchant } = owner.keys.sandbox
      const dispute_id = await raise(owner)
      const { body } = await sendFile(merchant, pdf, 'paper.pdf')
      const document = { file: body['upload_id'], purpose: 'receipt' }
      const id = await make(merchant, `/v1/disputes/${dispute_id}/documents`, document, 'document_id')
      return { id, parents: { dispute_id } }
    },
  },
}

const one = '/v1/disputes/{dispute_id}'

export const routes: Routes = {
  'GET /v1/disputes': {},
  [`GET ${one}`]: {},
  [`PATCH ${one}/evidence`]: {
    body: {},
    bodies: () => [
      { uncategorized_text: 'a' },
      { customer_name: '', submit: true },
      { receipt_attachment_id: 'doc_x' },
    ],
  },
  [`POST ${one}/accept`]: {},
  [`POST ${one}/documents`]: { body: { file: newId('upl', Date.now()), purpose: 'receipt' } },
  [`GET ${one}/documents`]: {},
  [`GET ${one}/documents/{document_id}`]: {},
  'POST /v1/test-helpers/payments/{payment_id}/dispute': {
    body: {},
    bodies: () => [{ amount: '1.00', reason: 'duplicate', early_warning: true }],
  },
  'POST /v1/test-helpers/disputes/{dispute_id}/settle': { body: { outcome: 'withdrawn' } },
}

export const processes: Processes = {
  dispute: {
    begun: 'disputes',
    unfinished: `select id, account_id, environment from disputes
      where status in ('early_warning', 'needs_response', 'under_review') or rail_due is not null`,
  },
}
