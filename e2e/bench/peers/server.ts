/**
 * A better-auth server as its documentation sets it up: Node's http module, e-mail codes, and Node's SQLite
 * or PostgreSQL. It sends its mails to the parent process as messages.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { DatabaseSync } from 'node:sqlite'
import { betterAuth } from 'better-auth'
import { getMigrations } from 'better-auth/db/migration'
import { toNodeHandler } from 'better-auth/node'
import { emailOTP } from 'better-auth/plugins'
import { Pool } from 'pg'

const { PORT, DATABASE_URL = '' } = process.env

const database = DATABASE_URL.startsWith('postgres://')
  ? new Pool({ connectionString: DATABASE_URL })
  : new DatabaseSync(DATABASE_URL)
// Like ours. The default journal creates a file for each change.
if (database instanceof DatabaseSync) database.exec('pragma journal_mode = wal')

const auth = betterAuth({
  baseURL: `http://127.0.0.1:${PORT}`,
  secret: 'a secret of sixty-four characters, which opens nothing but this.',
  database,
  rateLimit: { enabled: false },
  plugins: [
    emailOTP({
      async sendVerificationOTP({ email, otp }) {
        process.send?.({ email, otp })
      },
    }),
  ],
})
await (await getMigrations(auth.options)).runMigrations()
const server = createServer(toNodeHandler(auth)).listen(Number(PORT), '127.0.0.1')
await once(server, 'listening')
process.send?.('listening')
