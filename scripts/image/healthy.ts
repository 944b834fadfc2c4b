// Exits with 0 if the process of this container answers, on its port for metrics or, without one, on that of the API.
const port = process.env['METRICS_PORT'] || process.env['PORT'] || '3000'
const answer = await fetch(`http://127.0.0.1:${port}/healthz`, { signal: AbortSignal.timeout(3_000) }).catch(() => null)
process.exitCode = answer?.ok ? 0 : 1
