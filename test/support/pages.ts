import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { callFor } from '../../api/http/caller-address.ts'
import { createPages } from '../../web/pages.ts'
import { createCheckedApp } from './answers.ts'
import type { Stack } from './stack.ts'

/** The pages on a stack, behind a proxy of one hop, so that every visitor can have a different address. */
export async function openPages(stack: Stack) {
  const config = { ...stack.services.config, trustedProxyHops: 1, publicUrl: '' }
  const { clock } = stack.services
  const { temporalUiUrl: url, temporalNamespace: namespace } = config
  const pages = createPages({
    address: () => server.address(),
    callFor: (ctx) => callFor(ctx, 1),
    publicUrl: '',
    now: () => clock.now(),
    temporalUi: {
      url,
      namespace,
    },
  })
  const server = createCheckedApp({ ...stack.services, config }, pages).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  config.publicUrl = base // so that sessions which a page opens lead back to it
  const stop = () => {
    server.closeAllConnections()
    server.close()
  }
  return { base, addressOf: (checkoutUrl: string) => base + new URL(checkoutUrl).pathname, stop }
}
