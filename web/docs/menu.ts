/** The file of each page that is only a part of a file, and the sections of the file that it holds. */
export type Part = {
  path: string
  title: string
  summary: string
  file: string
  /** The headings of the second level whose sections stand on this page. */
  sections: string[]
}

const reference = 'docs/reference.md'

/** The reference is one file in the repository, and several pages here. What no part names stays on its page. */
export const parts: Part[] = [
  {
    path: '/docs/endpoints',
    title: 'Endpoints',
    summary: 'Every call with the scope that it needs and what it does.',
    file: reference,
    sections: ['Endpoints'],
  },
  {
    path: '/docs/test-values',
    title: 'Test values',
    summary: 'The cards, numbers and references that choose what happens in the sandbox.',
    file: reference,
    sections: ['Sandbox values'],
  },
  {
    path: '/docs/errors',
    title: 'Errors',
    summary: 'What each error code means and what to do next.',
    file: reference,
    sections: ['Errors'],
  },
  {
    path: '/docs/events',
    title: 'Event types',
    summary: 'Every webhook event: when it is sent, and a sample of what it holds.',
    file: reference,
    sections: ['Events'],
  },
]

export type MenuGroup = { words: string; paths: string[] }

/** The groups of the menu with their pages in the order in which somebody needs them, as paths below `/docs/`. */
const ordered: MenuGroup[] = [
  { words: 'Get started', paths: ['start', 'test-values', 'guides/command-line', 'guides/test-clocks'] },
  {
    words: 'Recipes',
    paths: ['recipes/marketplace', 'recipes/subscription', 'recipes/ngn-transfer', 'recipes/reconciliation'],
  },
  {
    words: 'Money in',
    paths: [
      'guides/checkout',
      'guides/payment-links',
      'guides/subscriptions',
      'guides/invoices',
      'guides/customer-portal',
      'guides/virtual-accounts',
      'guides/refunds',
      'guides/disputes',
      'guides/customers',
      'guides/catalogue',
    ],
  },
  {
    words: 'Money out',
    paths: [
      'guides/balances',
      'guides/payout-destinations',
      'guides/payouts',
      'guides/payout-schedules',
      'guides/conversions',
      'guides/transfers',
    ],
  },
  {
    words: 'Events and errors',
    paths: ['guides/webhooks', 'events', 'errors', 'guides/request-logs', 'guides/timeline'],
  },
  {
    words: 'Accounts and people',
    paths: [
      'guides/account',
      'guides/connected-accounts',
      'guides/onboarding-page',
      'guides/dashboard',
      'guides/keys',
      'guides/login',
    ],
  },
  { words: 'Reference', paths: ['endpoints', 'reference', 'contract', 'glossary'] },
  {
    words: 'Operations handbook',
    paths: [
      'guides/production',
      'operating',
      'operating/upgrading',
      'operating/processes',
      'stuck-payouts',
      'operating/staff',
      'operating/data',
      'operating/providers',
      'operating/capacity',
      'runbooks',
      'guides/stripe',
      'guides/paystack',
      'rails',
      'operating/proofs',
    ],
  },
  { words: 'Project', paths: ['decisions', 'dependencies', 'changes'] },
]

/** The pages of the folder that no group names stand at the end of the group, so that a new page is never hidden. */
const ends: Record<string, string> = { guides: 'More guides', recipes: 'Recipes', operating: 'Operations handbook' }

/** The menu of the pages that exist, whose paths are given. */
export function menuOf(existing: readonly string[]): MenuGroup[] {
  const known = new Set(existing)
  const groups = ordered.map(({ words, paths }) => ({
    words,
    paths: paths.map((path) => `/docs/${path}`).filter((path) => known.has(path)),
  }))
  const named = new Set(groups.flatMap(({ paths }) => paths))
  for (const [folder, words] of Object.entries(ends)) {
    const rest = existing.filter((path) => path.startsWith(`/docs/${folder}/`) && !named.has(path))
    const group = groups.find((one) => one.words === words)
    if (group) group.paths.push(...rest)
    else groups.splice(4, 0, { words, paths: rest })
  }
  return groups.filter(({ paths }) => paths.length > 0)
}
