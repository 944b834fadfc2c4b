// The floor of HTTP work: bare Koa and raw SQL, in its own process. Configured by DATABASE_URL and PORT.
import Koa from 'koa'
import { Pool } from 'pg'

const { DATABASE_URL, PORT } = process.env
const pool = new Pool({ connectionString: DATABASE_URL, max: 10 })
await pool.query(`
  create table if not exists sessions (id text primary key, body jsonb not null, created_at timestamptz not null);
  create table if not exists promises (id text primary key, about jsonb not null);
  create table if not exists answers (id text primary key, body text not null);
  insert into sessions values ('one', '{"amount": "25.00", "currency": "USD"}', now()) on conflict do nothing`)

/** One transaction of three inserts. */
async function write(id: string): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query('insert into sessions values ($1, $2, $3)', [id, '{"amount": "25.00"}', new Date()])
    await client.query('insert into promises values ($1, $2)', [id, '{"status": "open"}'])
    await client.query('insert into answers values ($1, $2)', [id, '{"status": "open"}'])
    await client.query('commit')
  } finally {
    client.release()
  }
}

const app = new Koa()
app.use(async (ctx) => {
  if (ctx.method === 'POST') {
    const id = crypto.randomUUID()
    await write(id)
    ctx.status = 201
    ctx.body = { id }
    return
  }
  const { rows } = await pool.query('select * from sessions where id = $1', ['one'])
  ctx.body = rows[0]
})
app.listen(Number(PORT), '127.0.0.1')
