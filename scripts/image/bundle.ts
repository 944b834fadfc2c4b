// Bundles the workflows into a folder, while the image is built.
import { mkdirSync } from 'node:fs'
import { writeWorkflowBundles } from '../infra/bundle.ts'

const [folder = ''] = process.argv.slice(2)
mkdirSync(folder, { recursive: true })
await writeWorkflowBundles(folder)
