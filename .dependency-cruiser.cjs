// The layer table of the architecture: one folder, one kind of code, one set of permissions. Read by `npm run check`.
const { readdirSync } = require('node:fs')
const { basename, join } = require('node:path')
const { layers: LAYERS, tools: TOOLS, folders: FOLDERS } = require('./scripts/infra/layers.ts')

const folders = (names) => `^(${names.join('|')})/`
const OURS = folders(FOLDERS)

/** What each folder may import of ours, beside itself; `types` only as `import type`. */
const TABLE = {
  domain: { may: [] },
  schemas: { may: ['domain'], types: ['db'] },
  db: { may: ['domain'] },
  commands: { may: ['domain', 'schemas', 'db'] },
  rails: { may: ['domain', 'db'] },
  activities: { may: ['domain', 'schemas', 'db', 'commands', 'rails'] },
  workflows: { may: ['domain'], types: ['activities'] },
  engine: { may: ['workflows', 'activities', 'rails', 'db', 'domain'] },
  api: { may: ['domain', 'schemas', 'db', 'commands', 'rails', 'engine', 'workflows'] },
  web: { may: ['domain', 'schemas'] },
  client: { may: ['domain', 'schemas'] },
}

/** Single files that a folder may import beside: the command line signs as the service does, by the one clock. */
const FILES = {
  client: ['^activities/webhook/signature\\.ts$', '^engine/clock\\.ts$', '^scripts/run\\.mjs$'],
}

/** Who may import the simulators' books and values: the API's test helpers. */
const SIMULATED = ['^api/sandbox/']

/** The one file that puts a process together may take from more: it mounts the pages on the API's server. */
const ROOT = '^api/main\\.ts$'

const layerRules = Object.entries(TABLE).flatMap(([folder, { may, types = [] }]) => [
  {
    name: `${folder}-may-import`,
    comment: `${folder}/ may import ${[...may, ...types.map((name) => `types of ${name}`)].join(', ') || 'nothing of ours'}`,
    severity: 'error',
    from: { path: folders([folder]), pathNot: ROOT },
    to: { path: OURS, pathNot: [folders([folder, ...may, ...types]), ...(FILES[folder] ?? [])] },
  },
  ...types.map((other) => ({
    name: `${folder}-may-import-types-of-${other}`,
    comment: `${folder}/ may import ${other}/ only with \`import type\``,
    severity: 'error',
    from: { path: folders([folder]) },
    to: { path: folders([other]), dependencyTypesNot: ['type-only'] },
  })),
])

/** What is not divided by areas: plumbing, and the command line of merchants. */
const UNDIVIDED = ['engine', 'rails', 'client']
const DIVIDED = LAYERS.filter((layer) => !UNDIVIDED.includes(layer))

/** The areas, each with those that it may know: only such as stand above it, so that no two know each other. */
const AREAS = {
  customer: [],
  catalogue: [],
  balance: [],
  webhook: [],
  transfer: [],
  review: [],
  checkout: ['customer', 'catalogue', 'balance', 'transfer'],
  refund: ['checkout'],
  dispute: ['customer', 'catalogue', 'transfer', 'checkout', 'refund'],
  subscription: ['customer', 'catalogue', 'balance', 'checkout', 'dispute'],
  payout: ['balance', 'review', 'checkout'], // of checkout: the coins and the mobile money providers that both know
  platform: ['customer', 'catalogue', 'review', 'checkout', 'refund', 'payout'],
  access: ['checkout', 'subscription', 'platform'], // tokens of a session, a customer, an account's onboarding
  sight: [
    'customer',
    'catalogue',
    'balance',
    'webhook',
    'transfer',
    'review',
    'checkout',
    'refund',
    'dispute',
    'subscription',
    'payout',
    'platform',
    'access',
  ],
  sandbox: [
    'customer',
    'catalogue',
    'subscription',
    'balance',
    'webhook',
    'checkout',
    'refund',
    'dispute',
    'payout',
    'platform',
    'sight',
  ],
}

/** Folders of divided layers that belong to no area. */
const SHARED = [
  'db/core',
  'db/ledger',
  'db/migrations',
  'api/http',
  'api/pdf',
  'schemas/examples',
  'web/assets',
  'web/docs',
  'web/review-desk',
  'web/templates',
  'web/words',
  'workflows/rail-order', // of refunds, conversions and payouts, and what operators read of payments
]
const foldersIn = (layer) =>
  readdirSync(join(__dirname, layer), { withFileTypes: true })
    .filter((one) => one.isDirectory())
    .map(({ name }) => `${layer}/${name}`)
const isArea = (folder) => basename(folder) in AREAS
const strange = DIVIDED.flatMap(foldersIn).filter((folder) => !isArea(folder) && !SHARED.includes(folder))
if (strange.length > 0) throw new Error(`folders that are no areas: ${strange.join(', ')}`)

/** Files at the top of a layer, by the area that they belong to. */
const AT_THE_TOP = {
  balance: 'conversion|open-conversion',
  refund: 'open-refund|refund-process',
  platform: 'deposit|take-up-deposit',
}

const filesOf = (area) => `(${area}/|(${[area, AT_THE_TOP[area]].filter(Boolean).join('|')})\\.ts$)`

/** What an area may use of areas below it, or of ones that it does not know otherwise. */
const EXCEPT = {
  // Who calls, and what an account may do and has set: words and named queries that every area reads.
  every: [
    '^domain/access/(scope|role)\\.ts$',
    '^db/access/user\\.ts$',
    '^(domain|db)/platform/(account-settings|capability)\\.ts$',
  ],
  // Money that nobody wanted goes back at once, by the command of refunds; a payment shows what of it went back. A sale
  // of a recurring product begins a subscription, and a session may pay an invoice, by the commands of subscriptions.
  checkout: [
    '^commands/subscription/',
    '^commands/open-refund\\.ts$',
    '^domain/refund\\.ts$',
    '^schemas/refund/event\\.ts$',
    '^commands/dispute/', // a network tells of disputes with its answer about a charge
  ],
  // The queue of reviews shows the payouts and destinations that they are about.
  review: ['^(db|domain)/payout/(payout|destination|terms)\\.ts$'],
  // A refund may prevent a dispute that a network has announced.
  refund: ['^commands/dispute/tell-disputes\\.ts$'],
}

const areaRules = Object.entries(AREAS).flatMap(([area, known], index, all) => {
  const below = known.filter((other) => all.findIndex(([name]) => name === other) >= index)
  if (below.length > 0) throw new Error(`${area} may know only areas that stand above it, and not ${below.join(', ')}`)
  const others = Object.keys(AREAS).filter((other) => other !== area)
  const unknown = others.filter((other) => !known.includes(other))
  const from = { path: `^(${DIVIDED.join('|')})/${filesOf(area)}`, pathNot: EXCEPT.every }
  return [
    {
      name: `${area}-may-know`,
      comment: `the area ${area} may know ${known.join(', ') || 'no other'}`,
      severity: 'error',
      from,
      to: {
        path: unknown.map((other) => `^(${DIVIDED.join('|')})/${filesOf(other)}`),
        pathNot: [...EXCEPT.every, ...(EXCEPT[area] ?? [])],
      },
    },
    {
      name: `${area}-uses-no-other-areas-steps`,
      comment: 'steps and processes are their own area’s: another uses its commands, named queries and presenters',
      severity: 'error',
      from: { path: `^(activities|workflows)/${filesOf(area)}` },
      to: { path: others.map((other) => `^(activities|workflows)/${filesOf(other)}`) },
    },
  ]
})

/** A folder that runs anywhere: no Node, and of npm only what is named. */
const pure = (folder, packages) => ({
  name: `${folder}-is-pure`,
  comment: `${folder}/ may use ${packages.join(', ')} and nothing else from outside, so no I/O and no clock`,
  severity: 'error',
  from: { path: folders([folder]) },
  to: { pathNot: [OURS, ...packages.map((name) => `node_modules/${name}/`)], dependencyTypesNot: ['type-only'] },
})

module.exports = {
  forbidden: [
    ...layerRules,
    ...areaRules,
    {
      name: 'api-main-may-import',
      severity: 'error',
      from: { path: ROOT },
      to: { path: OURS, pathNot: folders(['api', 'web', ...TABLE.api.may]) },
    },
    {
      name: 'the-verifier-stands-alone',
      comment: 'merchants copy this one file into their own server',
      severity: 'error',
      from: { path: '^client/verify-webhook\\.' },
      to: { path: OURS, pathNot: '^client/verify-webhook\\.' },
    },
    {
      name: 'the-library-stands-alone',
      comment: 'merchants install it: it may import the verifier, and nothing else of ours',
      severity: 'error',
      from: { path: '^client/library/' },
      to: { path: OURS, pathNot: ['^client/library/', '^client/verify-webhook\\.'] },
    },
    // Beside the arithmetic, check digits and checksums as libraries compute them: no I/O, no clock, no Node.
    pure('domain', ['big\\.js', 'ipaddr\\.js', 'ibantools', '@noble/hashes', '@scure/base']),
    pure('workflows', ['@temporalio/workflow', '@temporalio/common']),
    {
      name: 'only-rails-know-the-simulators',
      comment:
        'a rail is looked up by the environment of a row (rails/index.ts); test helpers and tools play the outside',
      severity: 'error',
      from: { pathNot: [folders(['rails', ...TOOLS]), ...SIMULATED] },
      to: { path: '^rails/sandbox/' },
    },
    {
      name: 'no-cycles',
      comment: 'two files that need each other are one file, or three',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-development-packages',
      comment: 'what runs in production imports no devDependency',
      severity: 'error',
      from: { path: OURS, pathNot: folders(TOOLS) },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  required: [
    {
      name: 'imports-are-seen',
      comment: 'fails when the parser sees no imports: without it a broken set-up would pass everything',
      severity: 'error',
      module: { path: '^db/open-database\\.ts$' },
      to: { path: '^db/entities\\.ts$' },
    },
  ],
  options: {
    parser: 'swc', // TypeScript 7 has no API for dependency-cruiser; @swc/core comes with @temporalio/worker
    moduleSystems: ['es6'],
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
    tsPreCompilationDeps: true,
  },
}
