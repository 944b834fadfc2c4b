import { buffer } from 'node:stream/consumers'
import { Worker } from 'node:worker_threads'
import type { EvidenceOrder } from '../dispute-rail.ts'
import { makeEvidenceFile, type PixelLimits, type ReadEvidence } from './evidence-file.ts'
import type { ThreadJob } from './evidence-thread.ts'

/**
 * What opening the PDFs of a merchant may take: bytes that are unpacked, memory for what is in them, in MB, and time.
 * A small PDF can be made to need any amount of each.
 */
type PdfLimits = { unpackedBytes: number; heapMb: number; ms: number }

type Job = ThreadJob & { limits: PdfLimits }

const threadCode = new URL('./evidence-thread.ts', import.meta.url)

const usual: PixelLimits & PdfLimits = {
  image: 20_000_000,
  file: 40_000_000,
  unpackedBytes: 64 * 1024 * 1024,
  heapMb: 256,
  ms: 20_000,
}

/**
 * The evidence as one PDF, since Paystack takes one file. PDFs are opened in a thread of their own, which ends where
 * they need too much. It does not tell for which of them, so all are attached then.
 */
export async function evidenceFile(
  { texts, documents }: Pick<EvidenceOrder, 'texts' | 'documents'>,
  limits: Partial<typeof usual> = {},
  code: URL = threadCode,
): Promise<Uint8Array> {
  const max = { ...usual, ...limits }
  const hasPdf = documents.some(({ contentType }) => contentType === 'application/pdf')
  const make = async () => {
    const evidence: ReadEvidence = { texts, documents: [] }
    for (const { purpose, fileName, contentType, read } of documents)
      evidence.documents.push({ purpose, fileName, contentType, bytes: await buffer(read()) })
    const made = hasPdf ? await makeInThread({ evidence, limits: max }, code) : null
    return made ?? makeEvidenceFile(evidence, max, false)
  }
  return hasPdf ? afterOthers(make) : make()
}

const forget = (): void => undefined
let last = Promise.resolve()

/** One thread at a time, so that their memory does not add up. Documents are read when it is their turn. */
function afterOthers<T>(call: () => Promise<T>): Promise<T> {
  const next = last.then(call)
  last = next.then(forget, forget) // a file is not kept until the next one
  return next
}

/**
 * The file with the PDFs as pages; null where they keep the thread from it. Any other error of the thread, such as one
 * of its own code, is none of theirs.
 */
async function makeInThread(job: Job, code: URL): Promise<Uint8Array | null> {
  const { limits } = job
  const thread = new Worker(code, {
    workerData: job,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: limits.heapMb },
  })
  const clock = setTimeout(() => void thread.terminate(), limits.ms)
  try {
    return await new Promise<Uint8Array | null>((resolve, reject) => {
      thread.once('message', resolve)
      thread.once('error', (error) => (isOutOfMemory(error) ? resolve(null) : reject(error)))
      thread.once('exit', () => resolve(null))
    })
  } finally {
    clearTimeout(clock)
    await thread.terminate()
  }
}

const isOutOfMemory = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY'
