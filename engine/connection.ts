import { Connection, defaultGrpcRetryOptions, makeGrpcRetryInterceptor } from '@temporalio/client'

/** About 2 s of retries. The default is 25 s, and the retries heed a call's deadline, but not its abort signal. */
const attemptsMax = 5
/** The default is up to 2 minutes: after a long outage nothing would be dispatched for that long. */
const reconnectMaxMs = 2_000

/** A connection that opens at its first call, fails fast while the engine is unavailable, and reconnects fast. */
export const connectToEngine = (address: string): Connection =>
  Connection.lazy({
    address,
    channelArgs: { 'grpc.max_reconnect_backoff_ms': reconnectMaxMs },
    interceptors: [makeGrpcRetryInterceptor(defaultGrpcRetryOptions({ maxAttempts: attemptsMax }))],
  })
