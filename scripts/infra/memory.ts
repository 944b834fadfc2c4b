import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'

/**
 * The resident memory of a process in MB, now or at its peak. If the system does not report the peak, it is the current
 * value.
 */
export function residentMegabytes(pid: number, which: 'now' | 'peak' = 'now'): number {
  const file = `/proc/${pid}/status`
  const line = which === 'now' ? /^VmRSS:\s+(\d+) kB$/m : /^VmHWM:\s+(\d+) kB$/m
  const found = existsSync(file) ? line.exec(readFileSync(file, 'utf8'))?.[1] : undefined
  const kilobytes = found ?? spawnSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }).stdout
  return Number(kilobytes) / 1024
}
