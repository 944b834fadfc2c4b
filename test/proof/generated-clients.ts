import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { LOCAL, ROOT } from '../../scripts/infra/paths.ts'
import { onPath } from '../../scripts/infra/temporal-binary.ts'
import { docBlocks } from '../support/doc-blocks.ts'
import type { Merchant } from '../support/merchant.ts'
import { type Deployment, deploy } from './deployment.ts'
import { waitUntilIdle } from './rest.ts'
import type { Scenario } from './scenario.ts'

const PAGE = 'docs/guides/other-languages.md'
const GENERATOR = 'openapi-generator-cli-7.17.0.jar'
/** The versions of the packages of the client for Python, which names only the earliest ones that it takes. */
const PYTHON_PACKAGES = join(ROOT, 'test/proof/generated-clients-python.txt')

/** How a language's program is compiled, and the commands that this needs. Its references begin with `name`. */
type Language = { name: string; block: string; commands: string[]; compile: string }

const languages: Language[] = [
  { name: 'typescript', block: 'ts', commands: [], compile: commandOn('tsc --project') },
  { name: 'go', block: 'go', commands: ['go'], compile: 'cd client && go vet . && go build ./...' },
  { name: 'python', block: 'python', commands: ['python3'], compile: 'env/bin/python -m compileall -q client' },
  { name: 'java', block: 'java', commands: [], compile: commandOn('mvn -q -f client') },
]

/** A command that the guide says within its text. */
function commandOn(beginning: string): string {
  const said = docBlocks.findLast(({ page }) => page === PAGE)?.before ?? ''
  const command = [...said.matchAll(/`([^`\n]+)`/g)]
    .map(([, text = '']) => text)
    .find((text) => text.startsWith(beginning))
  if (command === undefined) throw new Error(`${PAGE} does not say how to compile: ${beginning}`)
  return command
}

/** `size` is the number of languages. */
export const generatedClients: Scenario = {
  promise: 'clients that openapi-generator makes of our document compile in TypeScript, Python, Go and Java, and sell',
  size: languages.length,
  async run(size) {
    const chosen = languages.slice(0, size)
    const missing = ['java', 'mvn', ...chosen.flatMap(({ commands }) => commands)].filter((name) => !onPath(name))
    if (missing.length > 0) return { figures: {}, violations: [`not on PATH, and needed: ${missing.join(', ')}`] }
    mkdirSync(LOCAL, { recursive: true })
    // Below the root, where the compiler finds @types/node.
    const folder = mkdtempSync(join(LOCAL, 'generated-clients-'))
    const deployment = await deploy()
    try {
      return await sellWith(chosen, folder, deployment)
    } finally {
      await deployment.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

async function sellWith(chosen: Language[], folder: string, deployment: Deployment) {
  const { merchant } = await deployment.startApi()
  await deployment.startWorker()
  await merchant.chargeByCard() // so that a list has several pages from the first language on
  const env = { BASE: merchant.baseUrl, KEY: merchant.apiKey, PIP_CONSTRAINT: PYTHON_PACKAGES, GOFLAGS: '-mod=mod' }
  const figures: Record<string, string> = {}
  const violations: string[] = []
  await sh(blockOf('sh', 0), folder, env)
  for (const [index, language] of chosen.entries()) {
    const startedAt = performance.now()
    const said = await sell(language, join(folder, language.name), env).catch((error: unknown) => String(error))
    violations.push(...(await problemsOf(language, said, merchant)))
    figures[language.name] = `${Math.round((performance.now() - startedAt) / 1000)} s`
    if (index === chosen.length - 1) violations.push(...(await waitUntilIdle(deployment, 30_000)).violations)
  }
  return { figures, violations }
}

/** Follows the guide in a folder of the language's own. Returns what its program prints. */
async function sell({ block, compile }: Language, folder: string, env: NodeJS.ProcessEnv): Promise<string> {
  mkdirSync(folder)
  copyFileSync(join(dirname(folder), GENERATOR), join(folder, GENERATOR))
  const program = blockOf(block)
  const [, file = '', command = ''] = /^(?:#|\/\/) (\S+): (.*)$/m.exec(program) ?? []
  await sh(generation(block), folder, env)
  mkdirSync(dirname(join(folder, file)), { recursive: true })
  writeFileSync(join(folder, file), program)
  await sh(compile, folder, env)
  return await sh(command, folder, env)
}

const blocks = docBlocks.filter(({ page }) => page === PAGE)

/** A block of the guide. */
function blockOf(language: string, at = 0): string {
  const block = blocks.filter((each) => each.language === language)[at]
  if (!block) throw new Error(`${PAGE} has no block of ${language}`)
  return block.text
}

/** The block that is directly above a language's program: how its client is generated. */
function generation(language: string): string {
  const at = blocks.findIndex((block) => block.language === language)
  return blocks[at - 1]?.text ?? ''
}

async function sh(script: string, cwd: string, env: NodeJS.ProcessEnv): Promise<string> {
  const options = { cwd, env: { ...process.env, ...env }, timeout: 600_000, maxBuffer: 64 * 1024 * 1024 }
  const { stdout } = await promisify(execFile)('sh', ['-ec', script], options).catch((error) => {
    const { stdout: out = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    throw new Error(`${script.trim().slice(0, 200)} fails:\n${out.slice(-2000)}${stderr.slice(-2000)}`)
  })
  return stdout.trim()
}

/** Whether the program has said what it should, and the service has the sale and the refund that it names. */
async function problemsOf({ name }: Language, said: string, merchant: Merchant): Promise<string[]> {
  const [, checkoutId, refundId] = /^(chk_\w+) completed (ref_\w+) 404 NOT_FOUND$/m.exec(said) ?? []
  if (!checkoutId || !refundId) return [`${name}: ${said}`]
  const { body } = await merchant.call('GET', `/v1/payments?reference=${name}-1`)
  const paid = body['items'] as unknown as { checkout_id: string; payment_id: string }[]
  const refund = await merchant.call('GET', `/api/v1/payments/refunds/${refundId}`)
  const [payment, ...others] = paid
  const isSold = payment?.checkout_id === checkoutId && others.length === 0
  const isRefunded = (refund.body['charge_id'] as unknown) === payment?.payment_id
  return isSold && isRefunded ? [] : [`${name}: ${JSON.stringify({ paid, refund: refund.body })}`]
}
