import { endow } from '../conversion.ts'
import { company, completeAccount, forStaff, representative, stated } from '../connected-account.ts'
import type { Stories } from '../examples.ts'
import { pdf, sendFile } from '../upload.ts'

const one = '/v1/accounts/{account_id}'

export const stories: Stories = {
  async accounts({ show, known, merchant }) {
    const made = await show('POST /v1/accounts', {
      body: { country: 'NG', business_type: 'company', ...stated, capabilities: { payouts: { requested: true } } },
    })
    known['account_id'] = String(made['account_id'])
    await show(`PATCH ${one}`, { body: { company } })
    await show(`POST ${one}/capabilities/{capability}`, { body: { requested: true } })
    const person = await show(`POST ${one}/persons`, { body: representative })
    known['person_id'] = String(person['person_id'])
    await show(`PATCH ${one}/persons/{person_id}`, { body: { phone_number: '+2348012345679' } })
    await show(`GET ${one}/persons/{person_id}`)
    const file = (await sendFile(merchant, pdf, 'certificate.pdf')).body['upload_id']
    const document = 'company.certificate_of_incorporation'
    await show(`POST ${one}/documents`, { body: { file, document } })
    const more = await merchant.call('POST', `/v1/accounts/${known['account_id']}/persons`, { roles: ['director'] })
    await show(`DELETE ${one}/persons/{person_id}`, { params: { person_id: String(more.body['person_id']) } })
    known['person_id'] = String(person['person_id'])
  },

  async onboarding({ show, known }) {
    const link = await show(`POST ${one}/onboarding-link`, {
      body: { return_url: 'https://example.com/done', refresh_url: 'https://example.com/again' },
    })
    const token = String(link['url']).split('/').at(-1)?.split('#').at(-1) ?? ''
    await show('GET /v1/onboarding', { as: token })
    await show('POST /v1/onboarding/end', { as: token })
    await show('POST /v1/onboarding/refresh-url', { body: { token } })
    known['account_id'] = String(link['account_id'] ?? known['account_id'])
  },

  async ownAccount({ show }) {
    await show('PATCH /v1/account', { body: { timezone: 'Africa/Lagos' } })
  },

  async virtualAccounts({ show, known, call }) {
    const { body } = await call('POST', '/v1/customers', { email: 'grace@example.com', name: 'Grace Buyer' })
    const sent = { body: { customer_id: body['customer_id'], currency: 'NGN', account_name: 'Grace Buyer' } }
    const made = await show('POST /v1/virtual-accounts', sent)
    await show('POST /v1/virtual-accounts', { ...sent, name: 'again', summary: 'The customer has one already' })
    await show('POST /v1/virtual-accounts', { body: { currency: 'NGN' }, name: 'own', summary: 'Your own account' })
    known['virtual_account_id'] = String(made['virtual_account_id'])
    await show('POST /v1/test-helpers/virtual-accounts/{virtual_account_id}/deposits', {
      body: { amount: '5000.00', sender_name: 'Grace Buyer' },
    })
  },

  async transfers({ show, known, stack, api, accountId }) {
    await endow(stack, accountId, '1000.00', 'USD')
    const account_id = await api.addConnected(accountId, 'sandbox')
    const body = { destination: account_id, amount: '50.00', currency: 'USD', reference: 'share-1' }
    const made = await show('POST /v1/transfers', { body })
    known['transfer_id'] = String(made['transfer_id'])
    await show('POST /v1/transfers/{transfer_id}/reversals', { body: { amount: '10.00' } })
  },

  async review({ show, known, staff, merchant, call }) {
    const { account_id } = await completeAccount(merchant, forStaff)
    const { body } = await call('GET', '/api/v1/admin/reviews?type=account&limit=1', undefined, await staff.token())
    const [review] = (body as unknown as { items: { review_id: string }[] }).items
    known['review_id'] = String(review?.review_id)
    const params = { account_id }
    await show('GET /api/v1/admin/accounts/{account_id}', { params })
    await show('POST /api/v1/admin/accounts/{account_id}/review', { params, body: { decision: 'approve' } })
  },
}
