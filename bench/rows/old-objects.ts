import { readFileSync } from 'node:fs'
import { absolute, type Figure } from '../figure.ts'
import { createCaller, load } from '../load.ts'
import type { Testbed } from '../testbed.ts'
import { createCheckout, read } from './checkout.ts'

const IN_FLIGHT = 32
const WARM = 1_500
const READS = 5_000

/**
 * How much of a read stays when the young objects are collected. All of it did, and made a collection three times as
 * long, while some of its parts were among the old objects (docs/decisions/0105).
 */
export async function measureOldObjects({ openShop }: Testbed): Promise<Figure[]> {
  const shop = await openShop('old-objects', 'bench-idle', ['--trace-gc'])
  const caller = createCaller(shop.url, IN_FLIGHT)
  const { checkout_id: id } = await createCheckout(caller, shop)
  const readAll = (count: number) => load(IN_FLIGHT, count, () => read(caller, shop, `/v1/checkout-sessions/${id}`))
  await readAll(WARM)
  const before = readFileSync(shop.api.logFile).length
  await readAll(READS)
  await caller.close()
  const collections = readFileSync(shop.api.logFile).subarray(before).toString()
  const about = { measure: 'stays when young objects are collected', unit: 'bytes', better: 'lower' } as const
  const row = `GET /v1/checkout-sessions/{id}, ${IN_FLIGHT} in flight`
  return [absolute({ ...about, row, bar: 3_000, goal: 1_500 }, Math.round(grownIn(collections) / READS))]
}

/** By how many bytes the heap has grown from one collection of young objects to the next, in lines of `--trace-gc`. */
function grownIn(collections: string): number {
  const left = [...collections.matchAll(/Scavenge [\d.]+ \([\d.]+\) -> ([\d.]+)/g)].map(([, megabytes]) => megabytes)
  if (left.length < 5) throw new Error('the API has hardly collected its young objects: --trace-gc says nothing')
  const growth = left.slice(1).map((megabytes, index) => Math.max(0, Number(megabytes) - Number(left[index])))
  return growth.reduce((sum, each) => sum + each, 0) * 1024 ** 2
}
