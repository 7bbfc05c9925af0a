/** The server program, as an operator runs it. */
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { writeBuiltPages } from '../testing/built-pages.ts'
import { freePort, programs } from '../testing/program.ts'
import { bundleProgram } from '../testing/program-bundle.ts'

const appId = 'a'.repeat(25)

// Each test starts two or three programs.
vi.setConfig({ testTimeout: 60_000 })

const serverProgram = await bundleProgram('server/start/main.ts')
const commandProgram = await bundleProgram('server/start/commands/latchkey.ts')

let folder = ''
let built: ReturnType<typeof writeBuiltPages> | undefined
const { run: runProgram, killAll } = programs()
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-main-'))
  built = writeBuiltPages()
})
afterEach(async () => {
  await killAll()
  built?.remove()
  rmSync(folder, { recursive: true, force: true })
})

const run = (script: string, args: string[], environment: Readonly<Record<string, string>>) =>
  runProgram(script, args, {
    DATABASE_URL: join(folder, 'data', 'test.sqlite'),
    MASTER_KEY_FILE: join(folder, 'keys', 'master.key'),
    DRAIN_MS: '0',
    DIALOG_DIST: built?.dialogDist,
    WALLET_DIST: built?.walletDist,
    LOADER_DIST: built?.loaderDist,
    ...environment,
  })

/** A development server needs no other variable. */
const atPort = (port: number | string) => ({
  PORT: String(port),
  DIALOG_ORIGIN: `http://dialog.localhost:${port}`,
})
async function startServer(environment: Readonly<Record<string, string>> = {}) {
  const port = await freePort()
  const server = run(serverProgram, [], { ...atPort(port), LOG_LEVEL: 'debug', ...environment })
  await server.says('"listening"')
  return { ...server, port }
}

test('completes a call in flight before it ends, and logs no personal data', async () => {
  await run(commandProgram, ['app', 'create', '--id', appId, '--name', 'Fieldnotes'], {}).ended
  const { child, port, says, ended } = await startServer()
  const body = JSON.stringify({ email: 'ada.lovelace@example', token: 'very-secret' })
  const socket = connect(port, '127.0.0.1')
  const head = [
    'POST /api/v1/passwordless/init?note=in-the-query HTTP/1.1',
    `Host: dialog.localhost:${port}`,
    `Origin: http://dialog.localhost:${port}`,
    `latchkey-app-id: ${appId}`,
    'Authorization: Bearer a-bearer-token',
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n${body.slice(0, 10)}`)
  // When it responds to a later call, the server has received the head of the first.
  await fetch(`http://127.0.0.1:${port}/healthz`)
  child.kill('SIGTERM')
  await says('"ending"')
  await expect(fetch(`http://127.0.0.1:${port}/healthz`)).rejects.toThrow()
  let answer = ''
  socket.on('data', (chunk) => {
    answer += chunk.toString()
  })
  socket.write(body.slice(10))
  const { code, output } = await ended
  expect(answer).toContain('HTTP/1.1 422')
  expect(code).toBe(0)
  expect(output).toContain('"pattern":"/api/v1/passwordless/init","status":422')
  for (const secret of ['lovelace', 'very-secret', 'in-the-query', 'a-bearer-token', '127.0.0.1']) {
    expect(output).not.toContain(secret)
  }
})

test('SIGTERM ends the server although the reader of its log is gone', async () => {
  const { child, ended } = await startServer()
  child.stdout?.destroy()
  child.kill('SIGTERM')
  expect((await ended).code).toBe(0)
})

test('SIGTERM makes the server not ready, lets it serve during the drain, and then ends it', async () => {
  const { child, port, says, ended, output } = await startServer({ DRAIN_MS: '60000' })
  const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`)
  expect((await get('/readyz')).status).toBe(200)
  child.kill('SIGTERM')
  await says('"draining"')
  const ready = await get('/readyz')
  expect([ready.status, await ready.json()]).toEqual([
    503,
    expect.objectContaining({ ready: false, problems: ['This process is shutting down'] }),
  ])
  const keys = await get('/.well-known/jwks.json')
  expect([keys.status, keys.headers.get('connection')]).toEqual([200, 'close'])
  expect(output()).not.toContain('"ending"')
  // A second signal ends it immediately.
  child.kill('SIGTERM')
  expect((await ended).code).toBe(0)
})

test('the first log line and /readyz contain the release and the commit', async () => {
  const { port, output } = await startServer({ SOURCE_COMMIT: 'c0ffee0' })
  const version = expect.stringMatching(/^\d+\.\d+\.\d+$/)
  const [first = ''] = output().split('\n')
  expect(JSON.parse(first)).toMatchObject({ version, commit: 'c0ffee0', msg: 'starting' })
  const ready = await fetch(`http://127.0.0.1:${port}/readyz`)
  expect(await ready.json()).toMatchObject({ release: { version, commit: 'c0ffee0' } })
})

test('does not log health checks, and logs the reason once if it is not ready', async () => {
  rmSync(join(built?.dialogDist ?? '', 'passkey.html'))
  const { child, port, ended } = await startServer({ LOG_LEVEL: 'info' })
  for (const path of ['/healthz', '/readyz', '/healthz', '/readyz', '/.well-known/jwks.json'])
    await fetch(`http://127.0.0.1:${port}${path}`)
  child.kill('SIGTERM')
  const { output } = await ended
  expect(output).not.toMatch(/healthz|readyz/)
  expect(output).toContain('"pattern":"/.well-known/jwks.json"')
  expect(output.match(/"msg":"not ready"/g)).toHaveLength(1)
  expect(output).toContain('passkey.html is missing')
})

test('ends by itself after the drain time', async () => {
  const { child, ended } = await startServer({ DRAIN_MS: '100' })
  child.kill('SIGTERM')
  const { code, output } = await ended
  expect(code).toBe(0)
  expect(output).toMatch(/"ms":100,"msg":"draining".*"ending".*"ended"/s)
})

test('logs at start which login methods are configured, and what the others need', async () => {
  const without = await startServer()
  await without.says('"method":"email","msg":"login method configured"')
  await without.says('"method":"sms","missing":["TWILIO_VERIFY_URL"],"msg":"login method not configured"')
  const account = `https://AC${'0'.repeat(32)}:not-to-be-logged@verify.twilio.com`
  const { says, output } = await startServer({
    TWILIO_VERIFY_URL: `${account}/v2/Services/VA${'0'.repeat(32)}`,
  })
  await says('"method":"sms","msg":"login method configured"')
  expect(output()).not.toContain('not-to-be-logged')
})

test('logs at start whether captchas are configured', async () => {
  const without = await startServer()
  await without.says('"missing":["TURNSTILE_SECRET_KEY"],"msg":"captcha not configured"')
  const { says, output } = await startServer({ TURNSTILE_SECRET_KEY: 'not-to-be-logged' })
  await says('"msg":"captcha configured"')
  expect(output()).not.toContain('not-to-be-logged')
})

test('keeps connections open for longer than proxies do', async () => {
  const { port } = await startServer()
  const { headers } = await fetch(`http://127.0.0.1:${port}/healthz`)
  expect(headers.get('keep-alive')).toBe('timeout=90')
})

test('does not start without its master key, and explains why', async () => {
  const first = await startServer()
  first.child.kill('SIGTERM')
  await first.ended
  rmSync(join(folder, 'keys'), { recursive: true })
  const { code, output } = await run(serverProgram, [], atPort(first.port)).ended
  expect(code).toBe(1)
  expect(output).toContain('The server cannot start.')
  expect(output).toContain('Restore the file from its backup')
})

test('does not start without the recovery master key file, and starts with it', async () => {
  const recovery = { RECOVERY_MASTER_KEY_FILE: join(folder, 'elsewhere', 'recovery.key') }
  const first = await startServer(recovery)
  first.child.kill('SIGTERM')
  await first.ended
  const { code, output } = await run(serverProgram, [], atPort(first.port)).ended
  expect(code).toBe(1)
  expect(output).toContain('The server cannot start.')
  expect(output).toContain('Set RECOVERY_MASTER_KEY_FILE to the path of its file')
  await startServer(recovery)
})

test('a master key is not used while a running server lacks it, and is used after that has ended', async () => {
  const server = await startServer()
  const elsewhere = join(folder, 'copy.key')
  copyFileSync(join(folder, 'keys', 'master.key'), elsewhere)
  const rotate = async (step: string) =>
    run(commandProgram, ['keys', 'rotate', step], { MASTER_KEY_FILE: elsewhere }).ended
  expect(await rotate('prepare')).toMatchObject({ code: 0 })
  const refused = await rotate('commit')
  expect(refused.code).not.toBe(0)
  expect(refused.output).toContain('servers_without_key')
  expect(refused.output).toContain(`(process ${server.child.pid})`)
  server.child.kill('SIGTERM')
  await server.ended
  expect(await rotate('commit')).toMatchObject({ code: 0 })
})

test('explains a port in use and an invalid setting', async () => {
  const { port } = await startServer()
  const inUse = await run(serverProgram, [], atPort(port)).ended
  expect(inUse.code).toBe(1)
  expect(inUse.output).toContain(`PORT ${port} on 127.0.0.1 is in use`)
  const wrong = await run(serverProgram, [], { ...atPort(4000), PORT: 'http' }).ended
  expect(wrong.output).toBe('The server cannot start.\nPORT must be a number\n')
})

const refused = (environment: Readonly<Record<string, string>>) => run(serverProgram, [], environment).ended

test('the server refuses to start in production and lists each missing variable', async () => {
  const { code, output } = await refused({ DIALOG_ORIGIN: 'https://dialog.example', MAIL_FRON: 'Ada' })
  expect(code).toBe(1)
  expect(output).toContain('The server cannot start.\nThese variables are missing:\n  WALLET_ORIGIN ')
  expect(output).toMatch(
    /^ {2}SMTP_URL .*\n {2}MAIL_FROM .*\nWarning: .* MAIL_FRON\. Did you mean MAIL_FROM\?$/m,
  )
  expect(output).not.toMatch(/^ {2}(DIALOG_ORIGIN|DATABASE_URL) /m)
})

test('the server refuses to start without any variable, like npm run serve', async () => {
  const { code, output } = await refused({ DATABASE_URL: '', MASTER_KEY_FILE: '' })
  expect(code).toBe(1)
  for (const name of ['DIALOG_ORIGIN', 'WALLET_ORIGIN', 'SMTP_URL', 'MAIL_FROM', 'DATA_DIR'])
    expect(output).toMatch(new RegExp(`^ {2}${name} `, 'm'))
})

test('the log warns about an unknown variable and suggests the right one', async () => {
  const { says } = await startServer({ DATABSE_URL: 'postgres://db.example/latchkey' })
  await says('"variable":"DATABSE_URL","suggestion":"DATABASE_URL","msg":"nothing reads this variable"')
})

test('reports a file that is no SQLite database without a stack', async () => {
  mkdirSync(join(folder, 'data'))
  const file = join(folder, 'data', 'notes.txt')
  writeFileSync(file, 'not a database, and long enough for SQLite to read a header in it'.repeat(20))
  const { code, output } = await refused({ ...atPort(await freePort()), DATABASE_URL: file })
  expect(code).toBe(1)
  expect(output).toContain(
    'The server cannot start.\nThe file of DATABASE_URL is not an SQLite database. Correct the path.\n',
  )
})

test('an older Node version prints one sentence instead of an error code', async () => {
  const older = `data:text/javascript,${encodeURIComponent(
    "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } })",
  )}`
  const commands = [
    ['server/start/latchkey.mjs', 'serve'],
    ['scripts/run.mjs', 'operator'],
  ]
  for (const command of commands) {
    const { status, stderr } = spawnSync(process.execPath, ['--import', older, ...command], {
      encoding: 'utf8',
    })
    expect([status, stderr]).toEqual([
      1,
      expect.stringContaining('Node 20.20.2, and Latchkey needs Node 22.18'),
    ])
    expect(stderr).not.toContain('ERR_UNKNOWN_FILE_EXTENSION')
  }
})

test('explains a host address of another machine', async () => {
  const { output } = await refused({ ...atPort(await freePort()), HOST: '192.0.2.1' })
  expect(output).toMatch(
    /^The server cannot start\.\nPORT \d+ on 192\.0\.2\.1 cannot be used: EADDRNOTAVAIL\.$/m,
  )
  expect(output).not.toContain('    at ')
})

test('explains an unreachable database', async () => {
  const port = await freePort()
  const { code, output } = await refused({
    ...atPort(4000),
    DATABASE_URL: `postgres://somebody:a-password@127.0.0.1:${port}/none`,
  })
  expect(code).toBe(1)
  expect(output).toContain('The database of DATABASE_URL does not answer')
  expect(output).not.toContain('a-password')
})
