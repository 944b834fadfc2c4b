import { existsSync, writeFileSync } from 'node:fs'
import type { ChildOptions } from './child.ts'
import { onPath } from './temporal-binary.ts'

/** Debian installs it here, which is not on every user's PATH. */
const DEBIAN = '/usr/sbin/haproxy'

/** How long it takes until a call goes to no API that has said 503 on /readyz: two checks, in seconds. */
export const noticedAfterSeconds = 2

/** The path of HAProxy, or null. */
export const haproxy = (): string | null => onPath('haproxy') ?? (existsSync(DEBIAN) ? DEBIAN : null)

export const noHaproxy = 'A cluster needs HAProxy in front of its APIs: install the package `haproxy` (apt, dnf, brew).'

/** Writes the configuration of a HAProxy that listens on a loopback port, in front of APIs on others. */
export function loadBalancer(
  binary: string,
  { port, apis, file, logFile }: { port: number; apis: number[]; file: string; logFile: string },
): ChildOptions {
  writeFileSync(file, configuration(port, apis))
  return { name: 'the load balancer', command: [binary, '-db', '-f', file], logFile }
}

/**
 * A call goes to the API with the fewest open ones. Each has a connection of its own to the API, so that none meets one
 * that the API is just closing. A call that could not be connected goes to another API; one that was sent is never
 * repeated: that is for its caller, with its idempotency key. An event stream sends something every 15 seconds, and
 * uploads may be slow, but not silent for a minute.
 */
const configuration = (port: number, apis: number[]) => `global
  log stderr format raw local0 notice

defaults
  mode http
  log global
  timeout connect 2s
  timeout http-request 15s
  timeout client 60s
  timeout server 60s
  option http-server-close
  option forwardfor
  option redispatch 1
  retries 3

frontend public
  bind 127.0.0.1:${port}
  default_backend apis

backend apis
  balance leastconn
  option httpchk GET /readyz
  http-check expect status 200
  default-server check inter 1s fall ${noticedAfterSeconds} rise 1
${apis.map((api, index) => `  server api-${index + 1} 127.0.0.1:${api}\n`).join('')}`
