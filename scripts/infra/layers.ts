/** The layers: the folders at the top whose code runs in production. */
export const layers = [
  'domain',
  'schemas',
  'db',
  'commands',
  'rails',
  'activities',
  'workflows',
  'engine',
  'api',
  'web',
  'client',
]

/** The folders at the top for tests, measurements and scripts. */
export const tools = ['test', 'bench', 'scripts']

/**
 * Every folder at the top that holds code. `npm run check`, the style test and the rules for imports read this list.
 * tsconfig.json and knip.json cannot, so a test compares them with it.
 */
export const folders = [...layers, ...tools]
