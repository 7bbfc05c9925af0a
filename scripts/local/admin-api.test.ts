/** The first example of docs/admin-api.md, as a shell runs it, and the client of `@latchkey/server/admin`. */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAdminClient } from '../../sdk/server/admin/index.ts'
import { verifyWebhook } from '../../sdk/server/webhooks/verify.ts'
import { startReceiver } from '../../server/platform/webhooks/testing/receiver.ts'
import { writeBuiltPages } from '../../server/testing/built-pages.ts'
import { freePort, programs } from '../../server/testing/program.ts'
import { bundleProgram } from '../../server/testing/program-bundle.ts'
import { compileCache } from '../setup.mjs'

const root = join(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'docs/admin-api.md'), 'utf8')
const [, example = ''] = /^```sh\n(.*?)^```$/ms.exec(page) ?? []
const app = 'a'.repeat(25)

const folder = mkdtempSync(join(tmpdir(), 'latchkey-admin-'))
const built = writeBuiltPages()
const { run } = programs()
afterAll(() => {
  built.remove()
  rmSync(folder, { recursive: true, force: true })
})

const serverProgram = await bundleProgram('server/start/main.ts')

let url = ''
const storage = {
  DATABASE_URL: join(folder, 'data/latchkey.sqlite'),
  MASTER_KEY_FILE: join(folder, 'keys/master.key'),
}

async function shell(script: string, environment: Readonly<Record<string, string>> = {}): Promise<string> {
  const PATH = `${dirname(process.execPath)}:${process.env.PATH}`
  const env = { PATH, ...compileCache, ...storage, ...environment }
  const latchkey = 'latchkey() { node server/start/latchkey.mjs "$@"; }\n'
  const { stdout } = await promisify(execFile)('sh', ['-euc', latchkey + script], { cwd: root, env })
  return stdout
}

beforeAll(async () => {
  const [port, adminPort] = [await freePort(), await freePort()]
  url = `http://127.0.0.1:${adminPort}`
  const server = run(serverProgram, [], {
    ...storage,
    DIALOG_ORIGIN: 'http://dialog.localhost:4000',
    DIALOG_DIST: built.dialogDist,
    WALLET_DIST: built.walletDist,
    LOADER_DIST: built.loaderDist,
    PORT: String(port),
    ADMIN_ADDRESS: `127.0.0.1:${adminPort}`,
    DRAIN_MS: '0',
    WEBHOOKS_TO_THIS_MACHINE: 'true',
  })
  await server.says('"listening"')
  await shell(`latchkey app create --id ${app} --name Fieldnotes --origin https://app.example`)
})

test('the documented commands create a key and look up a user', async () => {
  const [address = '', create = '', curl = ''] = example.trim().split('\n')
  expect(address).toBe('export ADMIN_ADDRESS=127.0.0.1:4100')
  const printed = await shell(create, { APP: app })
  const [, key = ''] = /^Key: +(lk_\S+)$/m.exec(printed) ?? []
  const answer = await shell(curl.replace('http://127.0.0.1:4100', url), { APP: app, KEY: key })
  expect(JSON.parse(answer)).toEqual({ data: [], next: null })
})

test('the client lists users, reports errors by code, and reads the audit head', async () => {
  const scopes = ['users:read', 'users:write', 'audit:read'].map((scope) => `--scope ${scope}`).join(' ')
  const printed = await shell(`latchkey admin keys create --name client --app ${app} --json ${scopes}`)
  const admin = createAdminClient({ url, key: JSON.parse(printed).key })
  for await (const user of admin.listUsers(app, { limit: 10, blocked: false })) expect(user).toBeUndefined()
  await expect(admin.blockUser(app, 'usr_1', { reason: 'spam' })).rejects.toMatchObject({
    code: 'user_not_found',
    status: 404,
  })
  await expect(admin.findUsers(app, { email: 'ada' })).rejects.toMatchObject({
    code: 'invalid_data',
    path: 'email',
  })
  const [head] = await admin.readAuditHead()
  expect(head).toMatchObject({ app_id: app, hash: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/) })
  expect(await shell(`latchkey audit verify --head ${app}:${head?.sequence}:${head?.hash}`)).toContain(app)
})

test('a running server sends a webhook that `verifyWebhook` accepts', async () => {
  const printed = await shell(
    `latchkey admin keys create --name hooks --app ${app} --json --scope webhooks:write --scope webhooks:read`,
  )
  const { webhooks } = createAdminClient({ url, key: JSON.parse(printed).key })
  const receiver = await startReceiver()
  try {
    const { id } = await webhooks.create(app, { url: receiver.url })
    const [secret] = await webhooks.readSecret(app, id)
    const { promise: received, resolve } = Promise.withResolvers<Parameters<typeof verifyWebhook>[0]>()
    receiver.setReply((answer, delivery) => {
      answer.writeHead(204).end(() => resolve(delivery))
    })
    const sent = await webhooks.test(app, id)
    const delivery = await received
    const event = { id: sent.id, type: 'webhook.test', data: { app_id: app, webhook_id: id } }
    expect(await verifyWebhook(delivery, secret?.secret ?? '')).toMatchObject(event)
    expect(await verifyWebhook(delivery, secret?.public_key ?? '')).toMatchObject(event)
  } finally {
    await receiver.stop()
  }
})
