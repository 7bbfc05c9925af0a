/**
 * Compares the CPU time of our server with better-auth, which only the bench installs. Both serve the calls
 * of a browser: ours verifies a proof per call, theirs a cookie. No rate limit is reached.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startPostgres } from '../../scripts/local/postgres.ts'
import { installApart } from '../../scripts/processes/install-apart.ts'
import { openConnections } from '../client/http.ts'
import { logIn, type Place } from '../client/user.ts'
import { startStack } from '../stack/stack.ts'
import { CONNECTIONS, cpuMs, createUsers } from './server.ts'
import { heading } from './statistics.ts'
import { inTurns, ratio, type Side } from './turns.ts'

const folder = fileURLToPath(new URL('peers/', import.meta.url))

const counts = { login: 300, refresh: 2_000 } as const
const aims = { SQLite: { login: 0.6, refresh: 0.3 }, PostgreSQL: { login: 0.75, refresh: 0.45 } } as const

export async function measurePeers(firstPort: number): Promise<void> {
  const { ok, output } = await installApart(folder, 'better-auth')
  if (!ok) throw new Error(output)
  await onSqlite(firstPort)
  await onPostgres(firstPort)
}

async function onSqlite(firstPort: number): Promise<void> {
  const theirs = mkdtempSync(join(tmpdir(), 'latchkey-peers-'))
  try {
    await compare('SQLite', firstPort, { theirs: join(theirs, 'auth.sqlite') })
  } finally {
    rmSync(theirs, { recursive: true, force: true })
  }
}

async function onPostgres(firstPort: number): Promise<void> {
  const [ours, theirs] = [await startPostgres(), await startPostgres()]
  try {
    await compare('PostgreSQL', firstPort, { ours: ours.url, theirs: theirs.url })
  } finally {
    await Promise.all([ours.stop(), theirs.stop()])
  }
}

async function compare(
  engine: keyof typeof aims,
  firstPort: number,
  databases: { ours?: string; theirs: string },
): Promise<void> {
  const stack = await startStack(firstPort, {
    ...(databases.ours !== undefined && { databaseUrl: databases.ours }),
    logLevel: 'info',
    demo: false,
    scheme: 'http',
  })
  const connections = openConnections(stack.serverPort, CONNECTIONS)
  const peer = await startPeer(firstPort + 40, databases.theirs)
  try {
    heading(
      `The server's processor time on ${engine} beside better-auth ${version()}, ${CONNECTIONS} connections`,
    )
    const place: Place = { connections, ...stack }
    const ourCpu = () => ({ server: cpuMs(stack.serverPid()) })
    const print = async (name: keyof typeof counts, label: string, one: Side, other: Side) =>
      ratio(label, await inTurns(counts[name], one, other), (turn) => turn.cpuMs.server, {
        unit: 'ms',
        note: `aim ${aims[engine][name]} ×`,
      })
    await print(
      'login',
      'an e-mail login, its code included',
      { cpuMs: ourCpu, work: () => logIn(place) },
      { cpuMs: peer.cpuMs, work: peer.logIn },
    )
    const users = await createUsers(place)
    const cookies: string[] = await Promise.all(Array.from({ length: CONNECTIONS }, peer.logIn))
    await print(
      'refresh',
      'a refresh beside reading a session',
      { cpuMs: ourCpu, work: users.refresh },
      { cpuMs: peer.cpuMs, work: (worker) => peer.readSession(cookies[worker]) },
    )
  } finally {
    connections.close()
    await peer.stop()
    await stack.stop()
  }
}

const version = (): string =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).dependencies['better-auth']

async function startPeer(port: number, databaseUrl: string) {
  const child = fork(join(folder, 'server.ts'), {
    execArgv: [],
    env: { ...process.env, NODE_ENV: 'production', PORT: String(port), DATABASE_URL: databaseUrl },
  })
  const outbox = await collectMails(child)
  const connections = openConnections(port, CONNECTIONS)
  const origin = `http://127.0.0.1:${port}`
  const ask = async (path: string, body: object | undefined, cookie?: string) => {
    const headers = cookie === undefined ? {} : { cookie }
    const answer = body
      ? await connections.post(origin, path, JSON.stringify(body), headers)
      : await connections.get(origin, path, headers)
    if (answer.status !== 200 || answer.body === null) throw new Error(`${path}: ${answer.status}`)
    return answer
  }
  return {
    cpuMs: () => ({ server: cpuMs(child.pid) }),
    /** Returns the session cookie. */
    async logIn() {
      const email = `u${randomUUID()}@load.test`
      const mail = outbox.next(email)
      await ask('/api/auth/email-otp/send-verification-otp', { email, type: 'sign-in' })
      const { cookies } = await ask('/api/auth/sign-in/email-otp', { email, otp: await mail })
      return cookies.map((cookie) => cookie.split(';')[0]).join('; ')
    },
    readSession: (cookie: string | undefined) => ask('/api/auth/get-session', undefined, cookie),
    async stop() {
      connections.close()
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}

/**
 * Resolves when the server listens. Its mails arrive as process messages, which costs it less than a mail
 * server.
 */
async function collectMails(child: ChildProcess) {
  const waiting = new Map<string, (code: string) => void>()
  await new Promise<void>((resolve, reject) => {
    child.once('exit', () => reject(new Error('The better-auth server did not start')))
    child.on('message', (message: 'listening' | { email: string; otp: string }) => {
      if (message === 'listening') return resolve()
      waiting.get(message.email)?.(message.otp)
      waiting.delete(message.email)
    })
  })
  return { next: (email: string) => new Promise<string>((resolve) => waiting.set(email, resolve)) }
}
