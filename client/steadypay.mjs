#!/usr/bin/env node
// `npx steadypay`: runs the command line with the Node that runs the rest of the project, whatever Node npx runs on.
process.argv.splice(2, 0, 'client/main.ts')
await import('../scripts/run.mjs')
