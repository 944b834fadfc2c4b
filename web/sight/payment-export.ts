import type { Site } from '../site.ts'
import { addCsvExport, type CsvColumn } from './csv-export.ts'
import { paymentById, paymentFiltersIn, paymentQuery } from './payment-search.ts'
import type { ListedPayment } from './payment-words.ts'

/** `/dashboard/payments.csv`: the filtered list as a file for spreadsheets, newest first. */
export function addPaymentExport(site: Site, folder: string): void {
  addCsvExport<ListedPayment>(site, {
    folder,
    file: 'payments',
    rows: 'payments',
    collection: '/v1/payments',
    queryIn: (ctx) => paymentQuery(site.sessions, ctx, paymentFiltersIn(ctx)),
    findIn: (ctx) => paymentById(site.sessions, ctx, paymentFiltersIn(ctx)),
    idOf: (row) => row.payment_id,
    fewerIn: () => 'choose a shorter time',
    columns,
  })
}

/** The columns of the file, by the names that the API has for them. */
const columns: readonly CsvColumn<ListedPayment>[] = [
  ['payment_id', (row) => row.payment_id],
  ['created_at', (row) => row.created_at],
  ['completed_at', (row) => row.completed_at],
  ['status', (row) => row.status],
  ['currency', (row) => row.currency],
  ['amount', (row) => row.amount],
  ['amount_received', (row) => row.amount_received],
  ['refunded_amount', (row) => row.refunded_amount],
  ['fee_usd', (row) => row.fee_usd],
  ['payment_method', (row) => row.payment_method],
  ['customer_email', (row) => row.customer?.email ?? row.customer_details?.email ?? null],
  ['customer_name', (row) => row.customer?.name ?? row.customer_details?.name ?? null],
  ['customer_id', (row) => row.customer?.id ?? null],
  ['reference', (row) => row.reference],
  ['checkout_id', (row) => row.checkout_id],
  ['subscription_id', (row) => row.subscription_id],
  ['disputed', (row) => String(row.disputed)],
  ['failure_code', (row) => row.failure_code],
]
