import type { PaperLanguage } from './language.ts'

/** An image in the head of a document. */
export type Logo = { bytes: Uint8Array; contentType: 'image/png' | 'image/jpeg' }

/** Who sends a document. */
export type Letterhead = { name: string; supportEmail: string | null; logo: Logo | null }

/** A name with its value. */
export type Fact = { label: string; value: string }

/** A line of the table; every text is drawn as it is. */
export type PaperLine = { name: string; detail: string | null; quantity: string; unitAmount: string; total: string }

/** A document as plain texts. The same content always makes the same bytes, so its date is not that of the clock. */
export type Paper = {
  /** The language of the words that the document adds. */
  language: PaperLanguage
  /** What it is, such as `Invoice INV-000001`. */
  title: string
  /** How it stands, such as `Paid on 3 May 2026`. */
  status: string
  letterhead: Letterhead
  /** Whom it is for: a name, an email, an address. */
  recipient: string[]
  facts: Fact[]
  lines: PaperLine[]
  /** The sums below the lines. */
  sums: (Fact & { isStrong?: boolean })[]
  /** A last remark; null for none. */
  remark: string | null
  /** When it was issued, in milliseconds since the epoch. */
  issuedAt: number
}
