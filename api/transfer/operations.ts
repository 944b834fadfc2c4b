import type { Operation } from '../http/operation.ts'
import * as fees from './platform-fee.ts'
import * as transfers from './transfer.ts'

/** The operations of the area: transfers and platform fees. */
export const transferOperations: readonly Operation[] = [
  transfers.createTransfer,
  transfers.listTransfers,
  transfers.getTransfer,
  transfers.reverseTransferBack,
  fees.listPlatformFees,
  fees.getPlatformFee,
  fees.refundPlatformFee,
]
