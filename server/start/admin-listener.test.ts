/** ADMIN_ADDRESS, as an operator configures it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { writeBuiltPages } from '../testing/built-pages.ts'
import { freePort, programs } from '../testing/program.ts'
import { bundleProgram } from '../testing/program-bundle.ts'

const serverProgram = await bundleProgram('server/start/main.ts')
const commandProgram = await bundleProgram('server/start/commands/latchkey.ts')

let folder = ''
const built = writeBuiltPages()
const { run, killAll } = programs()
afterAll(() => built.remove())
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-admin-'))
})
afterEach(async () => {
  await killAll()
  rmSync(folder, { recursive: true, force: true })
})

const environment = () => ({
  DIALOG_ORIGIN: 'http://dialog.localhost:4000',
  DATABASE_URL: join(folder, 'data', 'test.sqlite'),
  MASTER_KEY_FILE: join(folder, 'keys', 'master.key'),
})
const start = (changes: Readonly<Record<string, string>>) =>
  run(serverProgram, [], {
    ...environment(),
    DIALOG_DIST: built.dialogDist,
    WALLET_DIST: built.walletDist,
    LOADER_DIST: built.loaderDist,
    DRAIN_MS: '0',
    ...changes,
  })

test('serves the Admin API on its own address only, and closes it at the end', async () => {
  const [port, adminPort] = [await freePort(), await freePort()]
  const server = start({ PORT: String(port), ADMIN_ADDRESS: `127.0.0.1:${adminPort}` })
  await server.says('"listening"')
  const create = run(
    commandProgram,
    ['admin', 'keys', 'create', '--name', 'test', '--scope', 'audit:read', '--json'],
    environment(),
  )
  await create.ended
  const { key } = JSON.parse(create.output())
  const status = async (at: number, path: string) => {
    const answer = await fetch(`http://127.0.0.1:${at}${path}`, {
      headers: { authorization: `Bearer ${key}` },
    })
    return answer.status
  }
  expect(await status(adminPort, '/admin/v1/audit/head')).toBe(200)
  expect(await status(port, '/admin/v1/audit/head')).toBe(404)
  for (const path of ['/healthz', '/.well-known/jwks.json', '/api/v1/openapi.json']) {
    expect(await status(adminPort, path)).toBe(404)
  }
  server.child.kill('SIGINT')
  expect((await server.ended).code).toBe(0)
  await expect(status(adminPort, '/admin/v1/audit/head')).rejects.toThrow()
})

test('is off unless ADMIN_ADDRESS is set', async () => {
  const server = start({ PORT: String(await freePort()) })
  await server.says('"listening"')
  expect(server.output()).not.toContain('Admin API')
})

test('explains an address in use and the public port', async () => {
  const port = await freePort()
  const running = start({ PORT: String(port) })
  await running.says('"listening"')
  const startAndFail = async (changes: Readonly<Record<string, string>>) => {
    const { code, output } = await start({
      DATABASE_URL: join(folder, 'other', 'test.sqlite'),
      MASTER_KEY_FILE: join(folder, 'other-keys', 'master.key'),
      ...changes,
    }).ended
    return [code, output.replace(/^\{.*\}\n/gm, '')]
  }
  const cannot = 'The server cannot start.\n'
  const other = String(await freePort())
  expect(await startAndFail({ PORT: other, ADMIN_ADDRESS: `127.0.0.1:${port}` })).toEqual([
    1,
    `${cannot}ADMIN_ADDRESS ${port} on 127.0.0.1 is in use by another program.\n`,
  ])
  expect(await startAndFail({ PORT: other, ADMIN_ADDRESS: `127.0.0.1:${other}` })).toEqual([
    1,
    `${cannot}ADMIN_ADDRESS must have another port than PORT and METRICS_ADDRESS, so that the Admin API is on no other listener\n`,
  ])
})
