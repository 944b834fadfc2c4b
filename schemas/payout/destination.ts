import Type, { type Static } from 'typebox'
import type { PayoutDestination as DestinationRow } from '../../db/payout/destination.ts'
import { destinationStatuses, destinationTypes, isUsable } from '../../domain/payout/destination.ts'
import { id, iso, isoOrNull, nullable, Timestamp } from '../common.ts'

const text = nullable(Type.String())

/** Fields that the destination's type does not have are null (docs/contract/payout.md, "Payout destinations"). */
export const PayoutDestination = Type.Object(
  {
    id: id('pd'),
    name: Type.String(),
    type: Type.Enum([...destinationTypes]),
    currency: Type.String(),
    status: Type.Enum([...destinationStatuses]),
    status_reason: text,
    is_usable: Type.Boolean(),
    is_default: Type.Boolean(),
    account_number: text,
    account_name: text,
    bank_code: text,
    bank_name: text,
    scheme: text,
    phone_number: text,
    mobile_provider: text,
    wallet_address: text,
    network: text,
    metadata: Type.Record(Type.String(), Type.String()),
    reviewed_at: nullable(Timestamp),
    deactivated_at: nullable(Timestamp),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { $id: 'PayoutDestination' },
)

export const presentDestination = (row: DestinationRow): Static<typeof PayoutDestination> => ({
  id: row.id,
  name: row.name,
  type: row.type,
  currency: row.currency,
  status: row.status,
  status_reason: row.statusReason,
  is_usable: isUsable(row),
  is_default: row.isDefault,
  account_number: row.accountNumber,
  account_name: row.accountName,
  bank_code: row.bankCode,
  bank_name: row.bankName,
  scheme: row.scheme,
  phone_number: row.phoneNumber,
  mobile_provider: row.mobileProvider,
  wallet_address: row.walletAddress,
  network: row.network,
  metadata: row.metadata,
  reviewed_at: isoOrNull(row.reviewedAt),
  deactivated_at: isoOrNull(row.deactivatedAt),
  created_at: iso(row.createdAt),
  updated_at: iso(row.updatedAt),
})
