import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The root folder of the clone. */
export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

/** The data, secrets and logs of development, in the clone. Never committed. */
export const LOCAL = join(ROOT, '.local')

/** Engine binaries: outside the clone, so that a fresh clone neither downloads nor builds again. */
export const CACHE = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'steadypay')
