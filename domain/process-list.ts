// What operators look for in the engine's list of processes, in its query language.

/** The lists of processes that staff check by hand, with what each list means, most urgent first. */
export const processLists = [
  { name: 'Stuck payouts', query: 'Resource="payout" AND WaitingOn="operator" AND ExecutionStatus="Running"' },
  { name: 'Payouts awaiting a decision', query: waitsForStaff('payout') },
  { name: 'Destinations awaiting a decision', query: waitsForStaff('destination') },
  {
    name: 'Disputes in review at their network',
    query: 'Resource="dispute" AND WaitingOn="rail" AND ExecutionStatus="Running"',
  },
  { name: 'Failing endpoints', query: 'Resource="endpoint" AND ExecutionStatus="Running"' },
  { name: 'Held by staff', query: 'State="on_hold" AND ExecutionStatus="Running"' },
  { name: 'Contradicted by a provider', query: 'State="contradicted"' },
  { name: 'Processes that ended by a fault', query: 'ExecutionStatus="Failed" OR ExecutionStatus="TimedOut"' },
] as const

function waitsForStaff<const R extends string>(resource: R) {
  return `Resource="${resource}" AND WaitingOn IN ("reviewer", "lead reviewer") AND ExecutionStatus="Running"` as const
}

/** The address of the engine's list in its UI, which shows one of these lists by `?query=`. */
export const processListUrl = (uiUrl: string, namespace: string, query?: string): string =>
  `${uiUrl}/namespaces/${encodeURIComponent(namespace)}/workflows${query ? `?query=${encodeURIComponent(query)}` : ''}`
