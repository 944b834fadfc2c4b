import { readdirSync, readFileSync } from 'node:fs'

/** The processes of a deployment, and how their command lines tell them apart. */
const roles = {
  API: /api\/main\.ts/,
  worker: /engine\/worker\.ts/,
  engine: /temporal\b.*\bserver/,
  Postgres: /\/postgres\b/,
} as const
export type Role = keyof typeof roles
export const roleNames = Object.keys(roles) as Role[]

type Process = { pid: number; parent: number; ms: number; command: string }

/** The kernel counts processor time in hundredths of a second (CLK_TCK), whatever the machine. */
const msPerTick = 10

/** The processes of this machine, with the processor time of each and of its children that have ended. */
function processesNow(): Process[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => readProcess(Number(pid)) ?? [])
}

function readProcess(pid: number): Process | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
    // The name, in brackets, may contain spaces. After it: the state, the parent, and from the 12th field on utime,
    // stime, cutime and cstime.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
    return { pid, parent: Number(fields[1]), ms: ticks * msPerTick, command }
  } catch {
    return null // it has just ended
  }
}

/**
 * The processor time that each part of a deployment has used so far, in milliseconds: of the first process below `root`
 * whose command line fits, and of everything below that. A part that is not there has used none. `worker` fits another
 * worker than ours.
 */
export function processorTimes(root: number, worker: RegExp = roles.worker): Record<Role, number> {
  const all = processesNow()
  const byParent = Map.groupBy(all, ({ parent }) => parent)
  const below = (pid: number): Process[] => (byParent.get(pid) ?? []).flatMap((each) => [each, ...below(each.pid)])
  const deployed = below(root)
  const timeOf = (pattern: RegExp): number => {
    const first = deployed.find(({ command }) => pattern.test(command))
    return first ? [first, ...below(first.pid)].reduce((sum, { ms }) => sum + ms, 0) : 0
  }
  return {
    API: timeOf(roles.API),
    worker: timeOf(worker),
    engine: timeOf(roles.engine),
    Postgres: timeOf(roles.Postgres),
  }
}
