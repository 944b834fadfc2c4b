/** How the tables of the interface are written: see interface.ts. */

export const words = (text: string): string[] => text.trim().split(/\s+/)

export const momentsOf = 'created_at updated_at'

/** One operation: its status on success, what it answers, and the bounds of what is sent. */
export type Route = {
  status: number
  /** The answer: one resource, a page of them, `{total, items}`, or a list under a name. */
  one?: string
  page?: string
  total?: string
  under?: [list: string, resource: string]
  fields?: string[]
  scope?: string
  /** Who alone may call it: a person, a buyer, a customer in the portal, or anybody. Left out: a key, and a person. */
  auth?: 'user' | 'none' | 'clientSecret' | 'customerToken'
  /** The fields or parameters that are sent: their bounds, and whether they are required. */
  takes?: Record<string, Bounds>
}
export type Bounds = {
  required?: true
  min?: number
  max?: number
  maxLength?: number
  minLength?: number
  oneOf?: string[]
}

export const limit = { limit: { min: 1, max: 100 }, offset: { min: 0 } }
export const listOf = (resource: string, scope: string): Route => ({ status: 200, page: resource, scope, takes: limit })
export const read = (resource: string, scope: string): Route => ({ status: 200, one: resource, scope })
export const write = (status: number, resource: string, scope: string, takes: Route['takes'] = {}): Route => ({
  status,
  scope,
  takes,
  one: resource,
})
