import { registerHooks } from 'node:module'

const bridge = `${import.meta.url}?bridge`
const source = `import * as common from '@ts-morph/common'; const { ts } = common; export { ts as default }`

/**
 * Lets openapi-typescript be imported. It writes by the API of TypeScript 5 and 6. Ours is TypeScript 7, which has
 * none, and a second package with a `tsc` would take turns with it in node_modules/.bin. So it gets the TypeScript of
 * @ts-morph/common.
 */
export function useTypeScriptApi(): void {
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'typescript' && context.parentURL?.includes('/openapi-typescript/')
        ? { url: bridge, format: 'module', shortCircuit: true }
        : next(specifier, context),
    load: (url, context, next) =>
      url === bridge ? { format: 'module', source, shortCircuit: true } : next(url, context),
  })
}
