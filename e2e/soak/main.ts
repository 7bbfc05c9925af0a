/**
 * `npm run soak -- --kills 100`: the server is killed at random moments under load, again and again, and whatever
 * it had acknowledged must be there afterwards: logins, the newest refresh token of each session, wallets.
 */
import { parseArgs } from 'node:util'
import { openConnections } from '../client/http.ts'
import {
  type LoggedIn,
  logIn,
  makeWallet,
  type Place,
  Refused,
  refresh,
  releaseShares,
} from '../client/user.ts'
import { appId, startStack } from '../stack/stack.ts'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '100' },
    users: { type: 'string', default: '8' },
    engine: { type: 'string', default: 'both' },
    port: { type: 'string', default: '4600' },
  },
})
const kills = Number(values.kills)
const usersAtOnce = Number(values.users)

/** What the server has said yes to. The ledger is what is checked, so it only grows by answers that arrived. */
type Account = { user: LoggedIn; address: string | undefined }

async function soak(engine: 'sqlite' | 'postgres', databaseUrl?: string): Promise<string[]> {
  const stack = await startStack(Number(values.port), {
    demo: false,
    logLevel: 'warn',
    ...(databaseUrl !== undefined && { databaseUrl }),
  })
  const connections = openConnections(stack.serverPort, usersAtOnce * 2)
  const place: Place = { connections, appId, ...stack }
  const accounts: Account[] = []
  const losses: string[] = []
  const counts = { logins: 0, refreshes: 0, wallets: 0, interrupted: 0 }
  let running = true

  /** A killed server refuses and resets; anything that it answers while it lives is taken at its word. */
  const attempt = async <T>(what: string, work: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await work()
    } catch (error) {
      if (error instanceof Refused && error.status < 500 && error.status !== 429)
        losses.push(`${what}: ${error.message}`)
      counts.interrupted += 1
      await new Promise((resolve) => setTimeout(resolve, 20))
      return undefined
    }
  }

  const live = async () => {
    while (running) {
      const user = await attempt('login', () => logIn(place))
      if (!user) continue
      counts.logins += 1
      const account: Account = { user, address: undefined }
      accounts.push(account)
      const address = await attempt('wallet', () => makeWallet(place, account.user))
      if (address) {
        counts.wallets += 1
        account.address = address
      }
      for (let turn = 0; turn < 3 && running; turn++) {
        const next = await attempt('refresh', () => refresh(place, account.user))
        if (!next) continue
        counts.refreshes += 1
        account.user = { ...account.user, token: next.token, refreshToken: next.refreshToken }
      }
    }
  }

  const started = Date.now()
  const lives = Array.from({ length: usersAtOnce }, live)
  for (let kill = 1; kill <= kills; kill++) {
    await new Promise((resolve) => setTimeout(resolve, 150 + Math.random() * 500))
    await stack.killServer()
    await stack.startServer()
    if (kill % 10 === 0) console.log(`  ${engine}: ${kill} kills, ${JSON.stringify(counts)}`)
  }
  running = false
  await Promise.all(lives)

  console.log(`  ${engine}: checking ${accounts.length} acknowledged logins`)
  for (const { user, address } of accounts) {
    try {
      const next = await refresh(place, user)
      if (next.user?.id !== user.userId) losses.push(`the session of ${user.userId} is somebody else's`)
      if (address === undefined) continue
      const wallets = next.user?.linkedAccounts.filter((account) => account.type === 'wallet') ?? []
      if (wallets.length !== 1 || wallets[0]?.address !== address)
        losses.push(`the wallet ${address} is not ${user.userId}'s`)
      await releaseShares(place, next, address)
    } catch (error) {
      losses.push(`${user.userId}: ${error instanceof Error ? error.message : error}`)
    }
  }
  connections.close()
  await stack.stop()
  const seconds = Math.round((Date.now() - started) / 1_000)
  console.log(`${engine}: ${kills} kills in ${seconds} s, ${JSON.stringify(counts)}, ${losses.length} lost`)
  return losses
}

const losses: string[] = []
if (values.engine !== 'postgres') losses.push(...(await soak('sqlite')))
if (values.engine !== 'sqlite') {
  const { startPostgres } = await import('../../scripts/postgres.mjs')
  const postgres = await startPostgres()
  try {
    losses.push(...(await soak('postgres', postgres.url)))
  } finally {
    await postgres.stop()
  }
}
for (const loss of losses.slice(0, 20)) console.error(`LOST ${loss}`)
console.log(losses.length === 0 ? 'Nothing that was acknowledged was lost.' : `${losses.length} losses`)
process.exit(losses.length === 0 ? 0 : 1)
