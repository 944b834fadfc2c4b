/** The event types that the service sends so far, as they are named in the interface, "Events". */
export const eventTypes = [
  'collection.succeeded',
  'collection.failed',
  'collection.underpaid',
  'checkout.completed',
  'checkout.expired',
  'customer.created',
  'customer.updated',
] as const
export type EventType = (typeof eventTypes)[number]

/** The fixed id of test events (interface, "Test event"). */
export const testEventId = 'evt_test_webhook'
