import Type from 'typebox'
import { KeptMail } from '../../db/core/mail.ts'
import type { Mail } from '../../domain/mail.ts'
import { id, iso, page, pageQuery, Timestamp } from '../../schemas/common.ts'
import { operation } from '../http/operation.ts'
import { listPage } from '../http/pagination.ts'
import { assertSandbox } from '../http/assert-sandbox.ts'

const EmailShape = Type.Object(
  {
    email_id: id('mail'),
    to: Type.String(),
    subject: Type.String(),
    text: Type.String(),
    html: Type.Optional(Type.String({ description: 'The same as HTML, where the mail has it.' })),
    created_at: Timestamp,
  },
  { $id: 'Email' },
)

export const listEmails = operation({
  method: 'get',
  path: '/v1/test-helpers/emails',
  summary: 'List the mails to your organization, newest first',
  tag: 'Test helpers',
  auth: ['apiKey'],
  scope: 'test_helpers:write',
  query: Type.Object(pageQuery),
  returns: [200, page(EmailShape)],
  refuses: ['SIMULATION_NOT_ALLOWED'],

  async handle({ query, caller, em, services }) {
    assertSandbox(caller)
    const isOwner = caller.role === 'owner'
    const where = { accountId: caller.accountId, ...(!isOwner && { isForOwners: false }) }
    const { rows, pagination } = await listPage({ em, services }, KeptMail, where, query)
    const items = rows.map((row) => {
      const { to, subject, text, html } = JSON.parse(services.encrypter.decrypt(row.encrypted)) as Mail
      return {
        email_id: row.id,
        to,
        subject,
        text,
        ...(html !== undefined && { html }),
        created_at: iso(row.createdAt),
      }
    })
    return { items, pagination }
  },
})
