import Type, { type Static } from 'typebox'
import type { FoundRow } from '../../db/sight/find-row.ts'
import { environments } from '../../domain/access/scope.ts'
import { formatPaid } from '../../domain/payout/terms.ts'
import type { PayoutCurrency } from '../../domain/payout/destination.ts'
import { foundKinds } from '../../domain/sight/found.ts'
import { CurrencyCode, isoOrNull, Money, nullable, Timestamp } from '../common.ts'

const Fact = Type.Object({
  name: Type.String({ description: 'What the value is.', examples: ['failure_code'] }),
  value: Type.String({ description: 'The value, as text.' }),
})
const Related = Type.Object({
  name: Type.String({ description: 'What the other resource is to this one.', examples: ['charge_id'] }),
  id: Type.String({ description: 'The id of the other resource.' }),
})

/** A resource of any kind, as far as staff need it to know what it is and whose. */
export const FoundResource = Type.Object(
  {
    resource: Type.Enum([...foundKinds]),
    resource_id: Type.String(),
    account_id: nullable(Type.String({ description: 'Whose it is; null for a member of the platform’s staff.' })),
    account_name: nullable(Type.String()),
    environment: nullable(Type.Enum([...environments])),
    status: nullable(Type.String({ description: 'The status; null for a resource without one.' })),
    amount: nullable(Type.String({ ...Money, description: 'The amount; null for a resource without one.' })),
    currency: nullable(CurrencyCode),
    created_at: nullable(Timestamp),
    facts: Type.Array(Fact, { description: 'What else tells it from others. It holds no personal data.' }),
    related: Type.Array(Related, { description: 'The resources that it names.' }),
    has_timeline: Type.Boolean({ description: 'Whether its timeline can be read.' }),
    process: nullable(
      Type.Object({
        workflow_id: Type.String(),
        url: nullable(Type.String({ description: 'Its page in the Temporal UI; null if that is not configured.' })),
      }),
    ),
  },
  { $id: 'FoundResource' },
)
type Found = Static<typeof FoundResource>

/** What was found, with the name of its account, its process, and whether it has a timeline. */
export function presentFound(
  { kind, row }: FoundRow,
  more: Pick<Found, 'account_name' | 'process' | 'has_timeline'>,
): Found {
  return {
    resource: kind.resource,
    resource_id: String(row['id']),
    account_id: kind.resource === 'account' ? String(row['id']) : textOf(row['accountId']),
    environment: (row['environment'] as Found['environment'] | undefined) ?? null,
    status: kind.status ? textOf(row[kind.status]) : null,
    ...sumOf({ kind, row }),
    created_at: row['createdAt'] instanceof Date ? isoOrNull(row['createdAt']) : null,
    facts: kind.facts.flatMap((column) => factOf(column, textOf(row[column]))),
    related: kind.related.flatMap((column) => {
      const id = textOf(row[column])
      return id === null ? [] : { name: snakeCase(column), id }
    }),
    ...more,
  }
}

function sumOf({ kind: { sum }, row }: FoundRow): Pick<Found, 'amount' | 'currency'> {
  const [amount, currency] = sum ? [textOf(row[sum[0]]), textOf(row[sum[1]])] : [null, null]
  if (amount === null || currency === null) return { amount: null, currency: null }
  const paid = currency as PayoutCurrency
  return { amount: formatPaid(amount, paid), currency: paid as Found['currency'] }
}

const factOf = (column: string, value: string | null) => (value === null ? [] : { name: snakeCase(column), value })

const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

function textOf(value: unknown): string | null {
  if (value === null || value === undefined || value === '') return null
  return value instanceof Date ? value.toISOString() : String(value)
}
