// The layer table of the architecture: one folder, one kind of code, one set of permissions. Read by `npm run check`.
const OURS = '^(domain|schemas|db|commands|rails|activities|workflows|engine|api|web|client|test|bench|scripts)/'
const TOOLS = ['test', 'bench', 'scripts']

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

/**
 * Single files that a folder may import beside: the command line signs as the service does, by the one clock; the list of
 * all entities holds the sandbox's books.
 */
const FILES = {
  db: ['^rails/sandbox/entities\\.ts$'],
  client: ['^activities/webhook/signature\\.ts$', '^engine/clock\\.ts$', '^scripts/run\\.mjs$'],
}

/** Who may import the simulators' books and values: the list of all entities, and the API's test helpers. */
const SIMULATED = ['^db/entities\\.ts$', '^api/sandbox/', '^api/platform/virtual-account-deposit\\.ts$']

const folders = (names) => `^(${names.join('|')})/`

/** The one file that puts a process together may take from more: it mounts the pages on the API's server. */
const ROOT = '^api/main\\.ts$'

const layers = Object.entries(TABLE).flatMap(([folder, { may, types = [] }]) => [
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

const AREA_LAYERS = 'domain|schemas|db|commands|activities|workflows|api|web'
const AREAS =
  'checkout|customer|catalogue|refund|dispute|balance|payout|subscription|webhook|access|platform|sandbox|conversion|deposit'

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
    ...layers,
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
    // Beside the arithmetic, check digits and checksums as libraries compute them: no I/O, no clock, no Node.
    pure('domain', ['big\\.js', 'ipaddr\\.js', 'ibantools', '@noble/hashes', '@scure/base']),
    pure('workflows', ['@temporalio/workflow', '@temporalio/common']),
    {
      name: 'webhook-and-balance-know-no-other-area',
      comment: 'they serve every area; lists of all areas stand at the top of their layer',
      severity: 'error',
      from: { path: `^(${AREA_LAYERS})/(webhook|balance)/`, pathNot: '/(entities|operations)\\.ts$' },
      to: {
        path: `^(${AREA_LAYERS})/(${AREAS})[/.]`,
        pathNot: ['^[^/]+/$2/', '^db/access/user\\.ts$'], // an owner is told of a failing endpoint
      },
    },
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
      module: { path: '^db/entities\\.ts$' },
      to: { path: '^db/core/entities\\.ts$' },
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
