import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { id, openPagesServer } from '../../testing/pages-server.ts'
import { type Received, type Request, verifyServer } from './verify.ts'

let opened: Awaited<ReturnType<typeof openPagesServer>> | undefined
const pages = () => opened ?? expect.unreachable('not open yet')
beforeAll(async () => {
  opened = await openPagesServer()
  const { dialogDist, walletDist } = opened.built
  cpSync(join(dialogDist, 'index.html'), join(dialogDist, 'open.html'))
  for (const page of ['recovery-window', 'open-window']) {
    cpSync(join(walletDist, 'export/index.html'), join(walletDist, page, 'index.html'))
  }
})
afterAll(() => opened?.close())

const dialogOrigin = 'http://dialog.localhost:4000'
const walletOrigin = 'http://wallet.localhost:4000'

const request: Request = async (address, headers) => {
  const { host } = new URL(address)
  const response = await pages().server.request(address, { headers: { host, ...headers } })
  return {
    status: response.status,
    policy: response.headers.get('content-security-policy') ?? '',
    body: Buffer.from(await response.arrayBuffer()),
  }
}

const verify = (change: (received: Received, address: string) => Received = (received) => received) =>
  verifyServer({
    dialogOrigin,
    appId: id,
    folders: pages().built,
    request: async (address, headers) => change(await request(address, headers), address),
  })

test('finds no difference in a server of this release', async () => {
  const { differences, compared, ...found } = await verify()
  expect(differences).toEqual([])
  expect(found).toEqual({ walletOrigin, scriptSources: [] })
  // Ten pages, two files of the dialog, four of the wallet, and both forms of the loader.
  expect(compared).toBe(18)
})

const replaceText = (received: Received, text: string, by: string) => ({
  ...received,
  body: Buffer.from(received.body.toString().replace(text, by)),
})
const noPolicy = (received: Received) => ({ ...received, policy: '' })

test.each<[name: string, address: string, problem: string, change: (received: Received) => Received]>([
  [
    'a script element that a page does not have',
    `${dialogOrigin}/apps/${id}/dialog?open=1`,
    'its markup differs',
    (received) => replaceText(received, '</head>', '<script src="/assets/more.js"></script></head>'),
  ],
  [
    'markup within the configuration',
    `${walletOrigin}/apps/${id}/confirm`,
    'it has no configuration of this release',
    (received) => replaceText(received, '</script>', '<script src="//x.example"></script></script>'),
  ],
  [
    'a changed script',
    `${dialogOrigin}/assets/index-Ab3_x9Qz.js`,
    'its content differs',
    (received) => replaceText(received, 'dialog', 'Dialog'),
  ],
  [
    'a changed loader',
    `${dialogOrigin}/loader/v1/latchkey.js`,
    'its content differs',
    (received) => replaceText(received, '0', '1'),
  ],
  [
    'a missing file',
    `${walletOrigin}/export-vault-Yy3_x9Qz.js`,
    'it answers with status 404',
    (received) => ({ ...received, status: 404 }),
  ],
  ['a vault without its policy', `${walletOrigin}/vault-Zz3_x9Qz.js`, 'its policy differs', noPolicy],
  ['a wallet page without its policy', `${walletOrigin}/apps/${id}/recovery`, 'its policy differs', noPolicy],
  [
    'an origin that ends a directive of the policy',
    `${walletOrigin}/apps/${id}/embedded-wallets`,
    'its policy differs',
    (received) => ({
      ...replaceText(received, 'http://demo.localhost:4010', 'http://demo.localhost:4010; script-src *'),
      policy: received.policy.replace(
        'http://demo.localhost:4010',
        'http://demo.localhost:4010; script-src *',
      ),
    }),
  ],
  [
    'a passkey page that allows inline scripts',
    `${dialogOrigin}/apps/${id}/passkey/${'A'.repeat(43)}`,
    "its policy is unsafe: 'unsafe-inline'",
    (received) => ({
      ...received,
      policy: received.policy.replace("script-src 'self'", "script-src 'unsafe-inline'"),
    }),
  ],
  [
    'a dialog without Trusted Types',
    `${dialogOrigin}/apps/${id}/dialog`,
    "its policy lacks require-trusted-types-for 'script'",
    (received) => ({
      ...received,
      policy: received.policy.replace("; require-trusted-types-for 'script'", ''),
    }),
  ],
])('finds %s', async (_name, address, problem, change) => {
  const { differences } = await verify((received, at) => (at === address ? change(received) : received))
  expect(differences).toEqual([{ address, problem }])
})

test.each([
  ['https:', false],
  ['https://*', false],
  ['*', false],
  ['data:', false],
  ["'wasm-unsafe-eval'", false],
  ['https://captcha.example', true],
])('the script source %s of the dialog is accepted: %s', async (source, isAccepted) => {
  const address = `${dialogOrigin}/apps/${id}/dialog`
  const { differences, scriptSources } = await verify((received, at) =>
    at === address
      ? { ...received, policy: received.policy.replace("script-src 'self'", `script-src 'self' ${source}`) }
      : received,
  )
  expect(differences).toEqual(isAccepted ? [] : [{ address, problem: `its policy is unsafe: ${source}` }])
  if (isAccepted) expect(scriptSources).toEqual([source])
})

test('reports an address that does not answer', async () => {
  const address = `${walletOrigin}/apps/${id}/confirm`
  const { differences } = await verify((received, at) => {
    if (at === address) throw new Error('socket hang up')
    return received
  })
  expect(differences).toEqual([{ address, problem: 'it does not answer (socket hang up)' }])
})

test('rejects if the address has no dialog', async () => {
  await expect(verify((received) => ({ ...received, status: 502 }))).rejects.toThrow(
    'answers with status 502',
  )
  await expect(verify((received) => ({ ...received, body: Buffer.from('<p>') }))).rejects.toThrow(
    'has no configuration of this release',
  )
})
