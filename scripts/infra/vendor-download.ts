import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, createWriteStream, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** Decides what the version `default` means. */
const SDK = { 'sdk-name': 'sdk-typescript', 'sdk-version': '1.24.0' }
const ANSWER_MS = 4_000 // the host may be unreachable, and there are other sources
const DOWNLOAD_MS = 180_000

/**
 * Fetches a binary as the vendor's SDKs do: asks temporal.download for an archive, and takes one file out of it.
 * `version` is a release (`v1.5.1`) or `default`, the one that suits our SDK. Null if `target` now exists, else the
 * reason.
 */
export async function vendorDownload(product: string, version: string, target: string): Promise<string | null> {
  const work = mkdtempSync(`${target}.download-`)
  try {
    const { archiveUrl, fileToExtract } = await findArchive(product, version)
    const archive = join(work, 'archive.tar.gz')
    const answer = await fetch(archiveUrl, { signal: AbortSignal.timeout(DOWNLOAD_MS) })
    if (!answer.ok || answer.body === null) throw new Error(`the archive answers ${answer.status}`)
    await pipeline(Readable.fromWeb(answer.body), createWriteStream(archive))
    await untar(archive, fileToExtract)
    const binary = join(dirname(archive), fileToExtract)
    chmodSync(binary, 0o755)
    renameSync(binary, target)
    return null
  } catch (error) {
    return reason(error)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

async function findArchive(product: string, version: string) {
  const arch = process.arch === 'x64' ? 'amd64' : process.arch
  const query = new URLSearchParams({ arch, platform: process.platform, format: 'tar.gz', ...SDK })
  const url = `https://temporal.download/${product}/${version}?${query}`
  const answer = await fetch(url, { signal: AbortSignal.timeout(ANSWER_MS) })
  if (!answer.ok) throw new Error(`it answers ${answer.status}`)
  const found = (await answer.json()) as { archiveUrl?: unknown; fileToExtract?: unknown }
  if (typeof found.archiveUrl !== 'string' || typeof found.fileToExtract !== 'string') {
    throw new Error('it names no archive')
  }
  return { archiveUrl: found.archiveUrl, fileToExtract: found.fileToExtract }
}

async function untar(archive: string, file: string) {
  const tar = spawn('tar', ['-xzf', archive, '-C', dirname(archive), file], { stdio: 'ignore' })
  const [code] = (await once(tar, 'close')) as [number | null]
  if (code !== 0) throw new Error(`tar ends with ${code}`)
}

function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? error.cause.message : error.message
}
