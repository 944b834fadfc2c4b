import { spawnSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/** A small disk in memory that can be filled. It needs root, and the right to mount. */
export type Disk = {
  folder: string
  /** Fills it again and again for so long, as whatever has filled it goes on. */
  keepFull(ms: number): Promise<void>
  empty(): void
  unmount(): void
}

/** Mounts a disk of that many megabytes, or says why that cannot be done here. */
export function mountDisk(folder: string, megabytes: number): Disk | string {
  mkdirSync(folder, { mode: 0o755 })
  const options = ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0755`, 'tmpfs', folder]
  const { status, error, stderr } = spawnSync('mount', options, { encoding: 'utf8' })
  if (error || status !== 0) return `a disk cannot be mounted here: ${error?.message ?? stderr.trim()}`
  const ballast = join(folder, 'ballast')
  return {
    folder,
    async keepFull(ms) {
      for (const until = performance.now() + ms; performance.now() < until; await pause(20)) fill(ballast)
    },
    empty: () => rmSync(ballast, { force: true }),
    unmount: () => void spawnSync('umount', [folder]),
  }
}

/** Adds to a file until the disk has not a page left. */
function fill(file: string): void {
  const to = openSync(file, 'a')
  try {
    for (const bytes of [1_048_576, 65_536, 4_096]) while (isWritten(to, Buffer.alloc(bytes))) continue
  } finally {
    closeSync(to)
  }
}

function isWritten(to: number, bytes: Buffer): boolean {
  try {
    return writeSync(to, bytes) === bytes.length
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
    return false
  }
}
