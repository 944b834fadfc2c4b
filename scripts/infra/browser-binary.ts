import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { createBrotliDecompress } from 'node:zlib'
import { CACHE } from './paths.ts'
import { SetupError } from './session.ts'
import { onPath } from './temporal-binary.ts'

const PACKAGE = fileURLToPath(new URL('..', import.meta.resolve('@sparticuz/chromium')))
const { version } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')) as { version: string }
const UNPACKED = join(CACHE, `chromium-${version}`)

/**
 * The path of the Chromium that the tests of the pages drive: `CHROMIUM` if it is set, else the one in an npm package,
 * else one on PATH. Throws a SetupError if there is none.
 */
export async function browserBinary(): Promise<string> {
  const given = process.env['CHROMIUM'] ?? (isPacked ? await unpacked() : onPath('chromium'))
  if (given !== null && existsSync(given)) return given
  throw new SetupError(
    'No browser was found for the tests of the pages. Install Chromium, or set CHROMIUM to its path.',
  )
}

/** The package is for Linux on x64 only. */
const isPacked = process.platform === 'linux' && process.arch === 'x64'

async function unpacked(): Promise<string> {
  const run = join(UNPACKED, 'run')
  if (existsSync(run)) return run
  mkdirSync(CACHE, { recursive: true })
  const work = mkdtempSync(`${UNPACKED}-`)
  try {
    await pipeline(...decompressed('chromium.br'), createWriteStream(join(work, 'chromium'), { mode: 0o755 }))
    for (const archive of ['al2023.tar.br', 'fonts.tar.br']) await untar(archive, work)
    writeFileSync(join(work, 'fonts.conf'), FONTS)
    writeFileSync(join(work, 'run'), RUN, { mode: 0o755 })
    renameSync(work, UNPACKED) // in one step, as others may unpack it at the same time
    return run
  } catch (error) {
    if (existsSync(run)) return run // another one was faster
    throw error
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

const decompressed = (name: string) => [createReadStream(join(PACKAGE, 'bin', name)), createBrotliDecompress()] as const

async function untar(archive: string, folder: string): Promise<void> {
  const tar = spawn('tar', ['-x', '--no-same-owner', '-C', folder], { stdio: ['pipe', 'ignore', 'inherit'] })
  const [[code]] = await Promise.all([once(tar, 'close'), pipeline(...decompressed(archive), tar.stdin)])
  if (code !== 0) throw new SetupError(`tar ends with ${code} for ${archive} of @sparticuz/chromium`)
}

const FONTS = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${join(UNPACKED, 'fonts')}</dir>
  <cachedir>${join(UNPACKED, 'fonts-cache')}</cachedir>
</fontconfig>
`
// The package has its libraries and fonts with it, as a machine for tests has neither.
const RUN = `#!/bin/sh
export LD_LIBRARY_PATH='${join(UNPACKED, 'lib')}' FONTCONFIG_FILE='${join(UNPACKED, 'fonts.conf')}'
exec '${join(UNPACKED, 'chromium')}' "$@"
`
