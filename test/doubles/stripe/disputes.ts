import { type Books, checkParams, type Entry, invalidRequest, pageOfKind, type Route } from './books.ts'
import type { Params } from './form.ts'

/** Disputes: evidence is taken once, while the network waits for it. */
export function createDisputes(books: Books) {
  const { add, emit, get } = books

  function waiting(id: string): Entry {
    const dispute = get('dispute', id)
    const isOpen = ['needs_response', 'warning_needs_response'].includes(String(dispute['status']))
    if (isOpen) return dispute
    throw invalidRequest('This dispute is already closed', { param: 'dispute' })
  }

  function move(dispute: Entry, status: string): Entry {
    dispute['status'] = status
    const isEnd = ['won', 'lost', 'warning_closed', 'prevented'].includes(status)
    emit(isEnd ? 'charge.dispute.closed' : 'charge.dispute.updated', dispute)
    return dispute
  }

  const routes: Route[] = [
    [/^GET \/v1\/disputes$/, (params) => pageOfKind(books, 'dispute', params, '/v1/disputes')],
    [/^GET \/v1\/disputes\/(\w+)$/, (_params, id) => get('dispute', id)],
    [
      /^POST \/v1\/disputes\/(\w+)$/,
      (params, id) => {
        checkParams(params, ['evidence', 'submit'])
        const dispute = waiting(id)
        const details = dispute['evidence_details'] as { submission_count: number }
        dispute['evidence'] = params['evidence']
        if (params['submit'] !== 'true') return dispute
        details.submission_count += 1
        return move(dispute, 'under_review')
      },
    ],
    [/^POST \/v1\/disputes\/(\w+)\/close$/, (_params, id) => move(waiting(id), 'lost')],
    [
      /^POST \/v1\/files$/,
      ({ multipart }: Params) => {
        const text = String(multipart)
        const [, filename] = /filename="([^"]*)"/.exec(text) ?? []
        if (!text.includes('dispute_evidence')) throw invalidRequest('Missing required param: purpose.', {}, true)
        if (filename === 'damaged.pdf') throw invalidRequest('This file is not a valid PDF', { param: 'file' })
        return add('file', 'file', { filename: filename ?? null, purpose: 'dispute_evidence', metadata: {} })
      },
    ],
  ]
  return {
    routes,
    /** What the network says of a dispute later. */
    decide: (id: string, status: string) => move(get('dispute', id), status),
  }
}
