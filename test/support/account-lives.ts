import { addDocument, completeAccount, forStaff, type Stating, withAccounts } from './connected-account.ts'
import type { Life } from './life.ts'
import { addStaff } from './staff.ts'
import type { Stack } from './stack.ts'

const minute = 60_000
const day = 24 * 60 * minute

type Then = (stack: Stack, id: string) => Promise<unknown>

/** An account that has provided everything and is reviewed, and what happens then. */
const review = (stating: Stating, then: Then): Life => ({
  process: 'account-review',
  async play(stack) {
    const { account_id: id } = await completeAccount(stack.merchant, stating)
    await withAccounts(stack).rests(id)
    await then(stack, id)
    return id
  },
})

const byStaff =
  (body: object, afterMs = 0): Then =>
  async (stack, id) => {
    if (afterMs) await withAccounts(stack).skip(id, afterMs)
    await (await addStaff(stack)).call('POST', `/api/v1/admin/accounts/${id}/review`, body)
  }

/** Lets the account provide what it lacks, so that the process ends. */
const provideLater: Then = async (stack, id) => {
  await addDocument(stack.merchant, id, 'company.proof_of_address')
  await withAccounts(stack).rests(id)
  await stack.skip(minute)
}

/** The lives of an account's process that are recorded. */
export const lives: Record<string, Life> = {
  'account-rejected-by-staff-after-an-escalation': review(
    forStaff,
    byStaff({ decision: 'reject', reason: 'No such company' }, 80 * 3_600_000),
  ),
  'account-asked-for-information': review(
    forStaff,
    byStaff({ decision: 'request_information', errors: [{ code: 'company.name', reason: 'Unclear' }] }),
  ),
  'account-changed-then-approved': review(forStaff, async (stack, id) => {
    await withAccounts(stack).change(id, { company: { name: 'Another Company Ltd', registration_number: 'RC120001' } })
    await withAccounts(stack).rests(id)
    await stack.skip(minute)
    await withAccounts(stack).rests(id)
    await provideLater(stack, id)
  }),
  'account-restricted-at-its-deadline': review({}, async (stack, id) => {
    await stack.skip(minute)
    const { skip } = withAccounts(stack)
    for (const days of [30, 8, 7]) await skip(id, days * day)
  }),
}
