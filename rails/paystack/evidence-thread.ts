import { parentPort, workerData } from 'node:worker_threads'
import decoders from 'pdf-lib/cjs/core/streams/DecodeStream.js'
import { makeEvidenceFile, type PixelLimits, type ReadEvidence } from './evidence-file.ts'

// The thread in which the PDFs of a merchant are opened (evidence.ts).

export type ThreadJob = { evidence: ReadEvidence; limits: PixelLimits & { unpackedBytes: number } }

const { evidence, limits } = workerData as ThreadJob
limitUnpacking(limits.unpackedBytes)
// What a PDF breaks here is not broken without its pages.
const made = await makeEvidenceFile(evidence, limits, true).catch(() => null)
parentPort?.postMessage(made, made ? [made.buffer as ArrayBuffer] : [])

/**
 * Ends the thread once the PDFs have been unpacked to more bytes than this. The limit of a thread's memory does not
 * count buffers, and pdf-lib takes an error for an object that is damaged, and unpacks the next one.
 */
function limitUnpacking(bytesMax: number): void {
  const decoder = decoders.default.prototype as unknown as Decoder
  const { ensureBuffer } = decoder
  let unpacked = 0
  decoder.ensureBuffer = function (requested) {
    if (requested > this.buffer.byteLength) unpacked += requested
    if (unpacked > bytesMax) process.exit(1)
    return ensureBuffer.call(this, requested)
  }
}

/** What all decoders of pdf-lib grow by. */
type Decoder = { buffer: Uint8Array; ensureBuffer(this: Decoder, requested: number): Uint8Array }
