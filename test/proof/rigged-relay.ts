// A worker process that is killed once for each event, after the receiver has taken its first attempt and before that
// is recorded. Only dying-relay.ts runs it.
import { runWorker } from './run-worker.ts'

await runWorker((deps) => {
  const { webhooks, database } = deps
  const { send } = webhooks
  webhooks.send = async (request) => {
    const attempt = await send(request)
    if (attempt.responseStatus === null) return attempt // the receiver has not taken it: no place was free, say
    const { id } = JSON.parse(Buffer.from(request.body).toString()) as { id: string }
    const strike = 'insert into proof_signals (event_id) values (?) on conflict do nothing returning 1'
    if ((await database.orm.em.fork().execute(strike, [id])).length > 0) process.kill(process.pid, 'SIGKILL')
    return attempt
  }
  return { deps }
})
