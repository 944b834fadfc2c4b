/** What must hold for webhook deliveries in any database once all work is done. */
export const rules: Record<string, string> = {
  'a delivery on hold is pending, and no attempt is planned': `
    select id, status, next_attempt_at from deliveries
    where on_hold_since is not null and (status <> 'pending' or next_attempt_at is not null)`,
}
