import { Connection, defaultGrpcRetryOptions, makeGrpcRetryInterceptor } from '@temporalio/client'

/** About 2 s of trying. The retries do not heed a call's abort signal, and by default they go on for 25 s. */
const attemptsMax = 5
/** By default up to 2 minutes: after a long absence nothing would be told for that long. */
const reconnectMaxMs = 2_000

/**
 * A connection that comes about with its first call, says soon when the engine is unavailable, and is soon there again.
 */
export const connectToEngine = (address: string): Connection =>
  Connection.lazy({
    address,
    channelArgs: { 'grpc.max_reconnect_backoff_ms': reconnectMaxMs },
    interceptors: [makeGrpcRetryInterceptor(defaultGrpcRetryOptions({ maxAttempts: attemptsMax }))],
  })
