import Type, { type Static } from 'typebox'
import type { VirtualAccount as VirtualAccountRow } from '../../db/platform/virtual-account.ts'
import { CurrencyCode, id, iso, nullable, Timestamp } from '../common.ts'

export const VirtualAccount = Type.Object(
  {
    virtual_account_id: id('va'),
    account_number: Type.String({ pattern: '^\\d{10}$', examples: ['0000014579'] }),
    account_name: Type.String(),
    bank_name: Type.String(),
    bank_code: Type.String(),
    currency: CurrencyCode,
    status: Type.Enum(['active']),
    customer_id: nullable(id('cust')),
    created_at: Timestamp,
  },
  { $id: 'VirtualAccount' },
)

export const presentVirtualAccount = (row: VirtualAccountRow): Static<typeof VirtualAccount> => ({
  virtual_account_id: row.id,
  account_number: row.accountNumber,
  account_name: row.accountName,
  bank_name: row.bankName,
  bank_code: row.bankCode,
  currency: row.currency,
  status: row.status,
  customer_id: row.customerId,
  created_at: iso(row.createdAt),
})
