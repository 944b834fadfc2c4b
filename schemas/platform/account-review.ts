import Type from 'typebox'
import { environments } from '../../domain/access/scope.ts'
import { outcomes } from '../../domain/review.ts'
import { requirementCodes } from '../../domain/platform/requirement-code.ts'
import { id, notBlank, nullable } from '../common.ts'
import { Review } from '../review.ts'
import { Account } from './account.ts'
import { ListedDocument } from './document.ts'
import { Person } from './person.ts'

/** What staff ask for once more. The account reads the reason. */
const AskedAgain = Type.Object({
  code: Type.Enum([...requirementCodes]),
  reason: Type.String({ minLength: 1, maxLength: 200, pattern: notBlank }),
})

/** A reviewer's decision about an account. */
export const DecideAccount = Type.Object(
  {
    decision: Type.Enum([...outcomes]),
    reason: Type.Optional(
      nullable(
        Type.String({ maxLength: 500, pattern: notBlank, description: 'Required to reject. The account can read it.' }),
      ),
    ),
    errors: Type.Optional(
      Type.Array(AskedAgain, { maxItems: 30, description: 'Required to request information: what, and why.' }),
    ),
    review_id: Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'The review that the decision is about; refused if a newer one is open.',
      }),
    ),
  },
  { $id: 'DecideAccount' },
)

/** An account as the review desk shows it, with everything that it has provided except secret numbers. */
export const DeskAccount = Type.Object(
  {
    account: Account,
    name: Type.String(),
    platform: nullable(Type.Object({ account_id: id('acct'), name: Type.String() })),
    environment: Type.Enum([...environments]),
    persons: Type.Array(Person),
    documents: Type.Array(ListedDocument),
    unverified: Type.Array(Type.String(), { description: 'The codes that a decision is about.' }),
    review: nullable(Review),
    people: Type.Record(Type.String(), Type.String(), {
      description: 'The names of the staff members in the review, by id.',
    }),
  },
  { $id: 'DeskAccount' },
)
