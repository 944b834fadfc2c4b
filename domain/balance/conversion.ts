import { type Amount, subtract } from '../money.ts'
import { assertMove, type Moves } from '../move.ts'

export const conversionStatuses = ['pending', 'processing', 'completed', 'failed'] as const
export type ConversionStatus = (typeof conversionStatuses)[number]

/** How a rail's answer ends a conversion. */
export type ConversionEnd = 'completed' | 'failed'

/** What a merchant reads of a conversion that the rail has not executed. */
export const notExecuted = 'The rail could not execute the conversion.'

/** What the rail sells of a conversion: all that was held for it, less the platform's fee. */
export const soldAmountOf = ({ fromAmount, fee }: { fromAmount: Amount; fee: Amount }): Amount =>
  subtract(fromAmount, fee)

/** Every legal move of a conversion. */
export const conversionMoves: Moves<ConversionStatus> = {
  pending: ['processing', 'failed'],
  processing: ['completed', 'failed'],
  completed: [],
  failed: [],
}

export const isEnded = (status: ConversionStatus): status is ConversionEnd => conversionMoves[status].length === 0

/**
 * Moves a conversion on (docs/contract/balance.md, "Conversions"); an illegal move is an error of ours and never
 * retried into being.
 */
export function moveConversion(conversion: { status: ConversionStatus }, to: ConversionStatus): void {
  assertMove('conversion', conversionMoves, conversion.status, to)
  conversion.status = to
}
