import { type Amount, subtract } from '../money.ts'
import { assertMove, type Moves } from '../move.ts'

export const conversionStatuses = ['pending', 'processing', 'completed', 'failed'] as const
export type ConversionStatus = (typeof conversionStatuses)[number]

/** How a rail's answer ends a conversion. */
export type ConversionEnd = 'completed' | 'failed'

/** What a merchant reads of a conversion that the rail has not executed. */
export const notExecuted = 'The rail could not execute the conversion.'

/** What the rail exchanges in a conversion: the reserved amount less the platform's fee. */
export const soldAmountOf = ({ fromAmount, fee }: { fromAmount: Amount; fee: Amount }): Amount =>
  subtract(fromAmount, fee)

/** Every legal move of a conversion. */
export const conversionMoves: Moves<ConversionStatus> = {
  pending: ['processing', 'failed'],
  processing: ['completed', 'failed'],
  completed: [],
  failed: [],
}

export const isConversionEnded = (status: string): status is ConversionEnd =>
  status === 'completed' || status === 'failed'

/** Moves a conversion to another status (docs/contract/balance.md, "Conversions"). */
export function moveConversion(conversion: { status: ConversionStatus }, to: ConversionStatus): void {
  assertMove('conversion', conversionMoves, conversion.status, to)
  conversion.status = to
}
