import type { Context } from 'koa'

/** The bytes of the body of a call, as they arrive. */
export const bytesOf = ({ state }: Context): AsyncIterable<Buffer> =>
  (state as { arriving: () => AsyncIterable<Buffer> }).arriving()
