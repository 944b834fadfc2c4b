import type { Operation } from '../http/operation.ts'
import * as dispute from './dispute.ts'
import * as document from './document.ts'
import * as evidence from './evidence.ts'

/** The operations of the area: disputes, their evidence and their documents. */
export const disputeOperations: readonly Operation[] = [
  dispute.listDisputes,
  dispute.getDispute,
  dispute.acceptDispute,
  evidence.changeEvidence,
  document.addDisputeDocument,
  document.listDisputeDocuments,
  document.getDisputeDocument,
]
