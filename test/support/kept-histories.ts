import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import proto from '@temporalio/proto'

const folder = new URL('../histories/', import.meta.url)

const { History } = proto.temporal.api.history.v1
type History = proto.temporal.api.history.v1.IHistory
export type Recorded = { name: string; workflowId: string; history: History }

/** Keeps a history as a file named by its life and the day, which never changes again. */
export function keep({ name, workflowId, history }: Recorded, day: string): void {
  const file = `${name}.${day}.json`
  const encoded = Buffer.from(History.encode(history).finish()).toString('base64')
  const text = `${JSON.stringify({ workflowId, history: encoded })}\n`
  writeFileSync(new URL(file, folder), text, { flag: 'wx' }) // an existing file is never overwritten
  const entries = Object.entries({ ...manifest(), [file]: sumOf(text) })
  const sorted = entries.toSorted(([one], [other]) => (one < other ? -1 : 1))
  writeFileSync(new URL(manifestFile, folder), `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`)
}

const manifestFile = 'manifest.json'

/** The SHA-256 in hex of each history's file, as it was when it was kept. */
export const manifest = (): Record<string, string> =>
  JSON.parse(readFileSync(new URL(manifestFile, folder), 'utf8')) as Record<string, string>

const sumOf = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex')

const keptFiles = (): string[] => readdirSync(folder).filter((file) => file !== manifestFile)

/** The SHA-256 in hex of each file as it is now. */
export const sums = (): Record<string, string> =>
  Object.fromEntries(keptFiles().map((file) => [file, sumOf(readFileSync(new URL(file, folder)))]))

/** Every kept history. */
export const kept = (): Recorded[] =>
  keptFiles().map((file) => {
    const { workflowId, history } = JSON.parse(readFileSync(new URL(file, folder), 'utf8'))
    return { name: file, workflowId, history: History.decode(Buffer.from(history, 'base64')) }
  })
