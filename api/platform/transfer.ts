import { LockMode } from '@mikro-orm/core'
import Type from 'typebox'
import { makeTransfer, reverseTransfer } from '../../commands/platform/transfer.ts'
import { Account } from '../../db/core/account.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { assertCapable } from '../../db/platform/capability.ts'
import { Transfer as TransferRow, TransferReversal as ReversalRow } from '../../db/platform/transfer.ts'
import { currencyIn } from '../../domain/currency.ts'
import { amountError, isZero, parseAmount } from '../../domain/money.ts'
import type { TransferKind } from '../../domain/platform/transfer.ts'
import { type FieldError, Refusal } from '../../domain/refusal.ts'
import { idParameter, Metadata, nullable, page, pageQuery, sentCurrency, singleLine } from '../../schemas/common.ts'
import {
  presentTransfer,
  presentTransferReversal,
  Transfer,
  TransferReversal,
  TransferWithReversals,
} from '../../schemas/platform/transfer.ts'
import { createdRange, whereMatching } from '../http/filters.ts'
import { type Caller, operation } from '../http/operation.ts'
import { listPage } from '../http/pagination.ts'
