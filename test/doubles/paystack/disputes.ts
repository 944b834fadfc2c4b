import type { ChargeBook, Transaction } from './charges.ts'
import { pageOf, within } from './lists.ts'
import { type Answer, type Call, done, failed, type Route } from './server.ts'

type Dispute = {
  id: bigint
  transaction: Transaction
  status: string
  resolution: string | null
  category: string
  refund_amount: bigint | null
  /** Null: only its transaction has one. */
  currency: string | null
  domain: 'live' | 'test'
  dueAt: string | null
  createdAt: number
  /** Whether Paystack finds each file invalid. */
  takesNoFile: boolean
  /** What it was answered with, each time. */
  answers: { resolution: string; refund_amount: unknown; file: Buffer }[]
}

export type DisputeBook = {
  disputes: Dispute[]
  /** Uploaded files by their name. */
  files: Map<string, Buffer>
  /** Where files are uploaded to. */
  storageUrl: string
}

const shown = ({ answers: _answers, takesNoFile: _takes, transaction, createdAt, ...dispute }: Dispute) => ({
  ...dispute,
  transaction: shownIn(transaction),
  resolvedAt: null,
  createdAt: new Date(createdAt).toISOString(),
})

const shownIn = ({ id, reference, amount, currency }: Transaction) => ({
  id,
  reference,
  amount,
  currency,
  status: 'success',
})

/** The disputes of Paystack's API, by its page "Disputes". */
export function disputeRoutes(book: ChargeBook & DisputeBook): Route[] {
  const find = (id: string) => book.disputes.find((one) => String(one.id) === id)

  function list({ query }: Call): Answer {
    const of = query.get('transaction')
    const found = book.disputes.filter(({ transaction }) => of === null || String(transaction.id) === of)
    return done(pageOf(within(found, query), query).map(shown), 'Disputes retrieved')
  }

  function read(id: string): Answer {
    const found = find(id)
    return found ? done(shown(found)) : failed(404, 'Dispute not found', 'dispute_not_found')
  }

  function uploadUrl(id: string): Answer {
    if (!find(id)) return failed(404, 'Dispute not found', 'dispute_not_found')
    const fileName = `file${book.nextId()}`
    return done({ signedUrl: `${book.storageUrl}/storage/${fileName}?X-Amz-Signature=abc`, fileName })
  }

  function resolve(id: string, { body }: Call): Answer {
    const found = find(id)
    if (!found) return failed(404, 'Dispute not found', 'dispute_not_found')
    const { resolution, message, refund_amount, uploaded_filename } = body
    const file = book.files.get(String(uploaded_filename))
    if (found.status !== 'awaiting-merchant-feedback') return failed(400, 'Dispute is resolved', 'invalid_params')
    if (found.takesNoFile) return failed(400, 'The file is not valid', 'invalid_params')
    if (!message || typeof refund_amount !== 'number' || !file)
      return failed(400, 'A file is required', 'missing_params')
    found.answers.push({ resolution: String(resolution), refund_amount, file })
    found.refund_amount = BigInt(refund_amount)
    const isAccepted = resolution === 'merchant-accepted'
    found.status = isAccepted ? 'resolved' : 'awaiting-bank-feedback'
    found.resolution = String(resolution)
    return done(shown(found), 'Dispute successfully resolved')
  }

  return [
    { method: 'GET', path: /^\/dispute$/, answer: list },
    { method: 'GET', path: /^\/dispute\/(\d+)$/, answer: (_, [id = '']) => read(id) },
    { method: 'GET', path: /^\/dispute\/(\d+)\/upload_url$/, answer: (_, [id = '']) => uploadUrl(id) },
    { method: 'PUT', path: /^\/dispute\/(\d+)\/resolve$/, answer: (call, [id = '']) => resolve(id, call) },
    {
      method: 'PUT',
      path: /^\/storage\/(\w+)$/,
      isStorage: true,
      answer: ({ bytes }, [name = '']) => {
        book.files.set(name, bytes)
        return done(null)
      },
    },
  ]
}

/** What buyers and banks do with disputes. */
export const disputeEvents = (book: ChargeBook & DisputeBook) => ({
  /** The buyer disputes a paid transaction. */
  disputes(reference: string, rest: Partial<Dispute> = {}): Dispute {
    const transaction = book.transactions.get(reference)
    if (!transaction) throw new Error(`the double has no transaction ${reference}`)
    const made: Dispute = {
      id: book.nextId(),
      transaction,
      status: 'awaiting-merchant-feedback',
      resolution: null,
      category: 'chargeback',
      refund_amount: null,
      currency: transaction.currency,
      domain: 'live',
      dueAt: '2026-12-01T18:00:00.000Z',
      createdAt: Date.parse('2026-11-25T10:00:00.000Z'),
      takesNoFile: false,
      answers: [],
      ...rest,
    }
    book.disputes.push(made)
    return made
  },
})
