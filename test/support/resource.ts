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

/** A row, and the client secret that opens it where it has one. */
export type Made = { id: string; secret?: string }

type Make = (stack: Stack, owner: Owner, environment: Environment) => Promise<Made>

type Maker = {
  prefix: IdPrefix
  /** Whether people see both environments' rows at once. */
  inBothEnvironments?: boolean
  /** A row that can be read, in either environment: inserted where calls cannot make it there. */
  make: Make
  /** One that came about by calls alone, in the sandbox, so that its process can go on with it. */
  makeByCalls?: Make
}

/** What makes a row of an owner, by the name of the path parameter that its id goes into. */
export type Makers = Record<string, Maker>

/** What bodies name: each is there, and the owner's. */
export type Ground = Record<'product_id' | 'charge_id' | 'quote_id' | 'customer_id' | 'destination', string>

type Route = {
  /** The smallest body that the route takes: a refusal then is about the caller or the id, not about the input. */
  body?: Record<string, unknown> | string
  /** The body's type, where it is no JSON. */
  type?: string
  /** Bodies that reach further and hold more fields; left out, it is the smallest one. */
  bodies?: (ground: Ground) => object[]
}

/** What is sent to each route, by its method and path. */
export type Routes = Record<string, Route>

/** The processes of a resource. */
export type Processes = Partial<
  Record<
    RowProcess,
    {
      /** The rows whose processes have begun: a table, or a query in brackets. */
      begun: string
      /** The rows that have not ended, as their own columns say; `:now` is the moment of the clock. */
      unfinished: string
    }
  >
>

/** Makes what the bodies name. */
export async function layGround(stack: Stack, { accountId, keys }: Owner): Promise<Ground> {
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

/** Makes something by a call; answers its id. */
export async function make(merchant: Merchant, path: string, body: object, idField: string): Promise<string> {
  const reply = await merchant.call('POST', path, body)
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
