import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export const root = dirname(dirname(dirname(import.meta.dirname)))
export const vectorFile = join(root, 'docs/webhook-test-vectors.json')

/** A test vector as the guide describes it. */
type Vector = {
  name: string
  headers: Record<string, string>
  body: string
  secrets: string[]
  now: number
  tolerance_seconds: number
  x_service: boolean
  standard_webhooks: boolean
  valid: boolean
  code: string | null
  signed_with: string[] | null
}

export const { vectors } = JSON.parse(readFileSync(vectorFile, 'utf8')) as { vectors: Vector[] }
