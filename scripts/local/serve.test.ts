import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { freePort } from './ports.ts'

const root = join(import.meta.dirname, '../..')
const distribution = join(root, 'server/dist')
const { PATH = '', HOME = '' } = process.env

beforeAll(() => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, 'scripts/run.mjs'), 'build', '--distribution'],
    { env: { PATH, HOME }, encoding: 'utf8' },
  )
  expect([status, stderr], stdout).toEqual([0, ''])
}, 180_000)

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

function serve(
  environment: Readonly<Record<string, string>>,
  { program, cwd }: { program: string; cwd?: string } = { program: join(root, 'scripts/run.mjs') },
) {
  const child = spawn(process.execPath, [program, 'serve'], {
    cwd,
    env: { PATH, HOME, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const looking = new Set<() => void>()
  const hear = (data: Buffer) => {
    output += data
    for (const look of looking) look()
  }
  child.stdout.on('data', hear)
  child.stderr.on('data', hear)
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, output }))
  const says = (text: string) =>
    new Promise<void>((resolve, reject) => {
      const look = () => output.includes(text) && resolve()
      looking.add(look)
      look()
      ended.then(() => reject(new Error(output)))
    })
  return { child, ended, says }
}

const hosted = {
  DIALOG_ORIGIN: 'https://dialog.fieldnotes.example',
  WALLET_ORIGIN: 'https://wallet.fieldnotes.example',
  SMTP_URL: 'smtp://127.0.0.1:1',
  MAIL_FROM: 'Fieldnotes <login@fieldnotes.example>',
}

test('npm run serve reports missing settings with an example, and starts nothing', async () => {
  const { DIALOG_ORIGIN, ...rest } = hosted
  const { code, output } = await serve({ ...rest, WALLET_ORIGIN: '' }).ended
  expect(code).toBe(1)
  expect(output).toContain('DIALOG_ORIGIN')
  expect(output).toContain('WALLET_ORIGIN')
  expect(output).not.toMatch(/^ {2}(SMTP_URL|MAIL_FROM) /m)
})

test('npm run serve runs one process for the configured product and ends it on a signal', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-serve-'))
  folders.push(folder)
  const port = await freePort()
  const server = serve({
    ...hosted,
    PORT: String(port),
    DRAIN_MS: '0',
    DATABASE_URL: join(folder, 'database', 'latchkey.sqlite'),
    MASTER_KEY_FILE: join(folder, 'keys', 'master.key'),
  })
  await server.says('"listening"')
  const ready = await fetch(`http://127.0.0.1:${port}/readyz`)
  expect([ready.status, (await ready.json()).ready]).toEqual([200, true])
  expect(existsSync(join(folder, 'database', 'latchkey.sqlite'))).toBe(true)
  if (process.platform === 'linux') {
    // The started process is the server itself, without another Node process.
    const { pid } = server.child
    expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8')).toContain('server/start/commands/latchkey.ts\0serve')
    expect(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')).toBe('')
  }
  // No sandbox is configured: the first log line names what an operator must add.
  await server.says('"method":"google","missing":["OAUTH_GOOGLE"]')
  server.child.kill('SIGTERM')
  const { code, output } = await server.ended
  expect(code).toBe(0)
  expect(output).toContain('"ended"')
  expect(output).not.toContain('Warning')
})

test('the distribution serves its pages outside the repository, passes its health check and ends on SIGTERM', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-distribution-'))
  folders.push(folder)
  cpSync(distribution, join(folder, 'latchkey'), { recursive: true })
  const port = await freePort()
  const environment = {
    ...hosted,
    PORT: String(port),
    DRAIN_MS: '0',
    DATABASE_URL: join(folder, 'database', 'latchkey.sqlite'),
    MASTER_KEY_FILE: join(folder, 'keys', 'master.key'),
  }
  const runProgram = (name: string, ...args: string[]) =>
    spawnSync(process.execPath, [join(folder, 'latchkey', name), ...args], {
      cwd: folder,
      env: environment,
      encoding: 'utf8',
    })
  expect(runProgram('health-check.mjs')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('ECONN'),
  })

  const server = serve(environment, { program: join(folder, 'latchkey/latchkey.mjs'), cwd: folder })
  await server.says('"listening"')
  const ready = await fetch(`http://127.0.0.1:${port}/readyz`)
  expect(await ready.json()).toMatchObject({ ready: true })
  expect(runProgram('health-check.mjs')).toMatchObject({ status: 0, stderr: '' })
  expect(runProgram('latchkey.mjs', 'app', 'list')).toMatchObject({ status: 0, stderr: '' })
  server.child.kill('SIGTERM')
  expect(await server.ended).toMatchObject({ code: 0, output: expect.not.stringContaining('"level":50') })
})

test('the distribution contains no path of the machine that built it', () => {
  const files = readdirSync(distribution, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:mjs|js|html|json)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
  expect(files.length).toBeGreaterThan(100)
  expect(files.filter((file) => readFileSync(file, 'utf8').includes(root))).toEqual([])
})

test('npm run serve is a script of package.json', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  expect(scripts.serve).toBe('exec node scripts/run.mjs serve')
})
