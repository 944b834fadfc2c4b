import type { AccountStatus } from '../../domain/platform/requirement.ts'
import type { Tenant } from '../core/columns.ts'
import type { EntityManager } from '../core/database.ts'

type Counted = {
  table: 'accounts' | 'account_profiles'
  isInBoth: boolean
  status: string
  country: string
  count: number
}

/**
 * How many connected accounts of a platform match a filter, without reading them: triggers count accounts and their
 * profiles (migration 0087). An account that is in both environments and has no profile in this one counts as one with
 * the status `statusOfOlder`.
 */
export async function countConnected(
  em: EntityManager,
  { accountId, environment }: Tenant,
  { status, country }: { status?: AccountStatus | undefined; country?: string | undefined },
  statusOfOlder: AccountStatus,
): Promise<number> {
  const rows = await em.execute<Counted[]>(
    `select table_name as table, split_part(facet, '/', 1) = 'both' as "isInBoth",
       split_part(facet, '/', 2) as status, split_part(facet, '/', 3) as country, sum(count)::int as count
     from row_counts where table_name in ('accounts', 'account_profiles') and account_id = ? and environment = ?
     group by 1, 2, 3, 4`,
    [accountId, environment],
  )
  const sum = (counted: Counted[]) => counted.reduce((total, { count }) => total + count, 0)
  const { accounts = [], account_profiles: profiles = [] } = Object.groupBy(rows, ({ table }) => table)
  if (!status && !country) return sum(accounts)
  const matching = profiles.filter(
    (profile) => profile.status === (status ?? profile.status) && profile.country === (country ?? profile.country),
  )
  if (status !== statusOfOlder || country) return sum(matching)
  const inBoth = (counted: Counted[]) => sum(counted.filter(({ isInBoth }) => isInBoth))
  return sum(matching) + inBoth(accounts) - inBoth(profiles)
}
