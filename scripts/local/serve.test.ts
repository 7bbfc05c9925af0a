import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { freePort } from './ports.ts'

// The command builds stale packages.
vi.setConfig({ testTimeout: 180_000 })

const root = join(import.meta.dirname, '../..')
const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

function serve(environment: Readonly<Record<string, string>>) {
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(process.execPath, [join(root, 'scripts/run.mjs'), 'serve'], {
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

test('npm run serve is a script of package.json', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  expect(scripts.serve).toBe('exec node scripts/run.mjs serve')
})
