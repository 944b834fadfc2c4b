import type { Operation } from '../http/operation.ts'
import * as own from './own-account.ts'
import * as virtual from './virtual-account.ts'

/** The operations of the area: accounts and virtual accounts. */
export const platformOperations: readonly Operation[] = [
  own.getOwnAccount,
  own.changeOwnAccount,
  virtual.createVirtualAccount,
  virtual.listVirtualAccounts,
  virtual.getVirtualAccount,
]
