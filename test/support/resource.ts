import assert from 'node:assert/strict'
import type { Environment } from '../../domain/access/scope.ts'
import type { RowProcess } from '../../domain/processes.ts'
import { type IdPrefix, newId } from '../../domain/id.ts'
import type { Api } from './api.ts'
import { endow, exchanging } from './conversion.ts'
import { register } from './destination.ts'
import { newProduct } from './cart.ts'
import { type Merchant, sale } from './merchant.ts'
import type { Stack } from './stack.ts'

/** An organization that owns rows in both environments. */
export type Owner = {
  accountId: string
  keys: Record<Environment, Awaited<ReturnType<Api['addKey']>>>
}

/** A row, and its client secret if it has one. */
export type Made = {
  id: string
  secret?: string
  /** The access token of the one person who reaches it, where no other person does. */
  person?: string
  /** The rows that it belongs to, by the path parameter that takes their ids. */
  parents?: Record<string, string>
}

type Make = (stack: Stack, owner: Owner, environment: Environment) => Promise<Made>

type Maker = {
  prefix: IdPrefix
  /** Whether people see both environments' rows at once. */
  inBothEnvironments?: boolean
  /** Makes a row that can be read, in either environment; it is inserted if calls cannot make it. */
  make: Make
  /** Makes one by calls only, in the sandbox, so that its process can continue. */
  makeByCalls?: Make
}

const parametersOf = (path: string): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, name]) => (name && name !== 'capability' ? [name] : []))

/** The parameter of a path that takes a row's id, the last one; undefined where there is none. */
export const idParameterOf = (path: string): string | undefined => parametersOf(path).at(-1)

/**
 * A path with its parameters filled in. An account before the row's id is the one that the row belongs to; `parents`
 * are the ids of other rows that it belongs to. A capability is no row: any of them serves.
 */
export function fillPath(path: string, id: string, accountId: string, parents: Made['parents'] = {}): string {
  const filled = path.replace('{capability}', 'payouts').replace(`{${idParameterOf(path)}}`, id)
  return filled.replaceAll(/\{(\w+)\}/g, (_, name: string) => parents[name] ?? accountId)
}

/** Makers of rows of an owner, by the path parameter that takes the row's id. */
export type Makers = Record<string, Maker>

/** The ids that bodies name; each exists and belongs to the owner. */
export type Fixtures = Record<'product_id' | 'charge_id' | 'quote_id' | 'customer_id' | 'destination', string>

type Route = {
  /** The smallest valid body, so that a refusal is about the caller or the id and not about the input. */
  body?: Record<string, unknown> | string
  /** The body's content type, if it is not JSON. */
  type?: string
  /** Bodies with more fields, which get further; by default the smallest one. */
  bodies?: (fixtures: Fixtures) => object[]
}

/** What is sent to each route, by its method and path. */
export type Routes = Record<string, Route>

/** The processes of a resource. */
export type Processes = Partial<
  Record<
    RowProcess,
    {
      /** The rows whose processes have begun: a table, or a query in parentheses. */
      begun: string
      /** The rows that have not ended by their own columns; `:now` is the clock's time. */
      unfinished: string
    }
  >
>

/** Makes everything that the bodies name. */
export async function makeFixtures(stack: Stack, { accountId, keys }: Owner): Promise<Fixtures> {
  const { merchant } = keys.sandbox
  await endow({ database: stack.database, clock: stack.clock }, accountId, '5000', 'USD')
  const { quote_id } = await exchanging(merchant).quote()
  return {
    product_id: await newProduct(merchant),
    charge_id: await merchant.chargeByCard({ ...sale, amount: '900.00' }),
    quote_id,
    customer_id: await make(merchant, '/v1/customers', { email: 'known@example.com' }, 'customer_id'),
    destination: (await register(merchant, 'USD')).id,
  }
}

/** Makes a resource by a call, and returns its id. */
export async function make(merchant: Merchant, path: string, body: object, idField: string): Promise<string> {
  const reply = await merchant.call('POST', path, body)
  assert.equal(reply.status, 201, reply.text)
  return String(reply.body[idField])
}

/** A payment that has succeeded, as the service writes it; nothing is posted. */
export async function makePayment(
  stack: Stack,
  { accountId }: Pick<Owner, 'accountId'>,
  environment: Environment,
): Promise<string> {
  const id = newId('pay', Date.now())
  await stack.sql(
    `insert into payments (id, account_id, environment, status, amount, settles, fee, fee_usd, fee_preference,
       currency, corridor, metadata, created_at, updated_at)
     values (?, ?, ?, 'succeeded', 10, 10, 0, 0, 'org_pays', 'USD', 'USD_CARD', '{}', now(), now())`,
    [id, accountId, environment],
  )
  return id
}
