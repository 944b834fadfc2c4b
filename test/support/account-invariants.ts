/** An account of which nothing is asked, as operators have let it go live without a review (`isExemptIn`). */
const isExempt = (of: string) =>
  `exists (select from accounts a where a.id = ${of}.account_id and a.environment is null and a.payments_enabled
    and ${of}.activated_at is null)`

/** What must hold for accounts, their reviews and their capabilities in any database. */
export const rules: Record<string, string> = {
  'an account has an open review exactly while its profile says so, and it is about the present revision': `
    select p.id, p.status, p.revision, p.is_reviewing, array_agg(r.revision) filter (where r.state = 'open') as open
    from account_profiles p left join reviews r on r.type = 'account' and r.resource_id = p.id group by p.id
    having coalesce(array_agg(r.revision) filter (where r.state = 'open'), '{}')
      <> case when p.is_reviewing then array[p.revision] else '{}'::int[] end`,
  'an account that is reviewed was not rejected, and one that waits for a deadline is active': `
    select id, status, is_reviewing, wakes_for from account_profiles
    where is_reviewing and status not in ('under_review', 'active') or wakes_for is not null and status <> 'active'`,
  'an account became active by an approval, and was rejected by a rejection': `
    select p.id, p.status from account_profiles p left join reviews r on r.type = 'account' and r.resource_id = p.id
    where position('/' in p.id) = 0 and not ${isExempt('p')} group by p.id
    having (p.activated_at is not null) <> coalesce(bool_or(r.decision = 'approve'), false)
      or (p.status = 'rejected') <> coalesce(bool_or(r.decision = 'reject'), false)
      or p.status in ('active', 'restricted') and p.activated_at is null`,
  'a reviewed account has a row for each capability: active ones only while it is active, asked-for ones alone': `
    select p.id, p.status, c.capability, c.status from account_profiles p
    left join account_capabilities c on c.account_id = p.account_id and c.environment = p.environment
    where position('/' in p.id) = 0 and not ${isExempt('p')} and (c.capability is null
      or (c.status = 'active' and p.status <> 'active')
      or (c.status = 'restricted' and c.stopped_as is null and p.status in ('onboarding', 'under_review'))
      or (c.status <> 'inactive' and c.stopped_as is null and not p.requested ? c.capability))`,
  'a capability that operators have taken away has the status that they have decided': `
    select account_id, environment, capability, status, stopped_as from account_capabilities
    where stopped_as is not null and stopped_as <> status`,
  'an account that operators have let go live without a review is active and waits for none': `
    select p.id, p.status, p.is_reviewing from account_profiles p
    where position('/' in p.id) = 0 and ${isExempt('p')}
      and (p.status not in ('active', 'rejected') or p.is_reviewing)`,
  'what was verified is not asked for again, and a deadline is of something that is not verified': `
    select id, verified, errors, deadlines from account_profiles
    where exists (select from jsonb_array_elements(errors) e where verified ? (e ->> 'code'))
      or exists (select from jsonb_object_keys(deadlines) d where verified ? d)`,
  'the persons of an account own no more than all of it': `
    select account_id, environment, sum(owned_basis_points) from account_persons group by 1, 2
    having sum(owned_basis_points) > 10000`,
  'a document is of an account or a person that exists': `
    select d.id, d.subject, d.subject_id from documents d
    where d.subject = 'account' and not exists (select from accounts a where a.id = d.subject_id)
      or d.subject = 'person' and not exists (select from account_persons p where p.id = d.subject_id)`,
}
