import { readdirSync, readFileSync } from 'node:fs'

/** The parts of a deployment, and how the command lines of their processes tell them apart: the first that fits. */
const roles = {
  API: /api\/main\.ts/,
  worker: /engine\/worker\.ts/,
  engine: /temporal\b.*\bserver/,
  "engine's tables": /^postgres: \S+ temporal/,
  Postgres: /\/postgres\b/,
  'load balancer': /haproxy/,
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
 * The processor time that each part of a deployment below the process `root` has used so far, in milliseconds. A
 * process whose command line fits no part belongs to that of the process that started it. `others` fit other programs
 * than ours.
 */
export function processorTimes(root: number, others: Partial<Record<Role, RegExp>> = {}): Record<Role, number> {
  const byParent = Map.groupBy(processesNow(), ({ parent }) => parent)
  const times = Object.fromEntries(roleNames.map((role) => [role, 0])) as Record<Role, number>
  const add = (parent: number, inherited: Role | undefined) => {
    for (const { pid, ms, command } of byParent.get(parent) ?? []) {
      const role = roleNames.find((each) => (others[each] ?? roles[each]).test(command)) ?? inherited
      if (role) times[role] += ms
      add(pid, role)
    }
  }
  add(root, undefined)
  return times
}
