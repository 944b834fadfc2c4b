import { endWaiting, startWaiting } from '../support/under-way.ts'
import { askedOfRails, backUp, putBack, settleByHand } from './backup.ts'
import { endDue, makeDue, prepareDue } from './due-in-the-lost-span.ts'
import { finishAll, makeBusy, restore, type Cluster, startDeployment } from './disaster.ts'
import type { Outcome, Scenario } from './scenario.ts'
import { until } from '../support/until.ts'

/**
 * `size` is the number of sales. The database is backed up in the middle of them and restored after their end, while
 * the engine keeps its data: some processes run for rows that are missing or older. The rails keep their own data, as
 * real ones do.
 */
export const databaseRestored: Scenario = {
  promise: 'after the database is restored to an earlier moment, no process, number or order is used twice; all ends',
  size: 300,
  run: (size) => restoreDatabase(size, { losesEngine: false }),
}

/** The same, and the engine loses all of its data too: only the older database and the rails know anything. */
export const bothLost: Scenario = {
  promise:
    'after the engine is lost and the database is put back to an earlier moment, all ends and nothing is paid twice',
  size: 300,
  run: (size) => restoreDatabase(size, { losesEngine: true }),
}

async function restoreDatabase(size: number, { losesEngine }: { losesEngine: boolean }): Promise<Outcome> {
  const cluster = await startDeployment(size)
  try {
    const [untouched, ended] = [await startWaiting(cluster), await startWaiting(cluster)]
    const busy = await makeBusy(cluster, size)
    await until(() => busy.begun() > size / 2, 'half of the sales have begun', { withinMs: 300_000 })
    const due = await prepareDue(cluster)
    const kept = await backUp(cluster)
    await makeDue(cluster, due)
    const violations = await busy.done
    await endWaiting(cluster, await cluster.logIn(), ended)
    await startWaiting(cluster)
    await cluster.killAll()
    if (losesEngine) await cluster.engine.lose()
    const lost = await putBack(cluster, kept)
    const restored = await restore(cluster, ['database'], cluster.startAll)
    violations.push(...restored.violations)
    await endDue(cluster, due)
    // Whoever has paid in the lost time does not come back to pay again, although the session is open again.
    await giveUpOn(cluster, [...Object.values(untouched.sessions), ended.sessions.cardAtRail])
    const again = await makeBusy(cluster, Math.max(4, size / 10))
    violations.push(...(await again.done))
    await settleByHand(cluster, lost)
    const end = await finishAll(cluster, [untouched, ended], lost.moved)
    const asked = { 'begun anew': restored.begun, ...(await askedOfRails(cluster, lost)) }
    if (lost.events === 0) violations.push('no event was lost: the database was not put back')
    const ahead = Object.values(lost.ahead).flat()
    if (ahead.length === 0) violations.push('no rail was ahead of the restored rows: this run proves nothing of them')
    const figures = { sales: size, eventsLost: lost.events, restMs: end.restMs, ...asked }
    return { figures, violations: [...violations, ...end.violations] }
  } finally {
    await cluster.stop()
  }
}

/** Cancels the sessions that were open in the backup, as their buyers do not return, except those of `waiting`. */
async function giveUpOn({ sql, merchant }: Cluster, waiting: { checkout_id: string }[]): Promise<void> {
  const awaited = waiting.map((session) => session.checkout_id)
  const open = await sql<{ id: string }>(
    `select id from checkouts where status = 'open' and payment_status <> 'processing' and id not in (?)`,
    [awaited],
  )
  for (const { id } of open) await merchant.cancel(id)
}
