import { negate } from '../../domain/money.ts'
import { type LineKind, planOfPart } from '../../domain/subscription/invoice.ts'
import type { Language } from '../language.ts'

type Line = { kind: LineKind; product_name: string; line_total: string }

/** What a line of an invoice is for, where we have named it and not the merchant: in the reader's language. */
export function lineName({ say }: Language, line: Line): string {
  const plan = planOfPart(line)
  if (plan !== null) return say(line.kind === 'unused' ? 'line.unused' : 'line.remaining', { plan })
  if (line.kind !== 'credit') return line.product_name
  return say(line.line_total.startsWith('-') ? 'invoice.credit' : 'line.credit')
}

/** An amount that may be below zero, with its minus before all else. */
export const signedMoney = ({ money }: Language, amount: string, currency: string): string =>
  amount.startsWith('-') ? `−${money(negate(amount), currency)}` : money(amount, currency)
