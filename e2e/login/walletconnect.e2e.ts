import type { Locator, Page } from '@playwright/test'
import { expectNoViolations } from '../pages/axe.ts'
import type { HostPage } from '../pages/host-page.ts'
import { beginCall } from '../pages/page-calls.ts'
import { type PhoneWallet, phoneWallet } from '../phones/wallet.ts'
import { setFaults } from '../stack/faults.ts'
import { test as base, expect } from '../test.ts'

type Fixtures = { phone: PhoneWallet; elsewhere: readonly string[] }
const test = base.extend<Fixtures>({
  phone: async ({ stack }, use) => {
    const phone = phoneWallet(stack.sandboxUrl)
    await phone.reset()
    await use(phone)
  },
  /** Errors of the page, and its requests to other servers. */
  elsewhere: async ({ page, stack }, use) => {
    const errors: string[] = []
    const ours = [stack.hostOrigin, stack.dialogOrigin, stack.walletOrigin, stack.sandboxUrl]
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
    page.on('pageerror', (error) => errors.push(error.message))
    page.on('request', (request) => {
      const url = new URL(request.url())
      if (url.protocol.startsWith('http') && !ours.includes(url.origin)) errors.push(request.url())
    })
    page.on('websocket', (socket) => {
      if (new URL(socket.url()).host !== new URL(stack.sandboxUrl).host) errors.push(socket.url())
    })
    await use(errors)
  },
})

const project = 'wallet_connect_cloud_project_id'
test.use({ settings: ['wallet_auth=true', `${project}=0123456789abcdef0123456789abcdef`] })
test.afterEach(({ stack }) => setFaults(stack, { walletconnect: 'none' }))

type CallResult = { user?: Readonly<Record<string, unknown>>; code?: string }
async function begin({ page, host }: { page: Page; host: HostPage }) {
  await host.openOneLine()
  const ended = await beginCall<CallResult>(page, 'login')
  await host.dialog.getByRole('button', { name: 'Continue with a wallet' }).click()
  await host.dialog.getByRole('button', { name: /^WalletConnect/ }).click()
  return ended
}
const heading = (host: HostPage, name: string): Locator => host.dialog.getByRole('heading', { name })

/** Returns the pairing link beside the QR code. */
async function getPairingLink(host: HostPage): Promise<string> {
  await expect(host.dialog.getByRole('img', { name: 'Code that connects a wallet' })).toBeVisible()
  return (
    (await host.dialog.getByRole('button', { name: 'Copy the link in the code' }).getAttribute('title')) ?? ''
  )
}

// spec L2.28, L2.44, L3.31, L7.34
test('a phone scans the code, approves and signs, and its user is logged in', async ({
  host,
  page,
  stack,
  phone,
  elsewhere,
}) => {
  const ended = await begin({ page, host })
  const uri = await getPairingLink(host)
  expect(uri).toMatch(/^wc:[0-9a-f]{64}@2\?/)
  await expectNoViolations(page, 'the code of a wallet')
  await phone.join(uri)
  expect(await phone.says('approve')).toMatchObject({ type: 'session', from: { url: stack.hostOrigin } })
  await expect(heading(host, 'Sign to verify')).toBeVisible()
  const domain = new URL(stack.hostOrigin).host
  const { message } = await phone.says('approve')
  const { address } = await phone.state()
  expect(message).toContain(`${domain} wants you to sign in with your Ethereum account:\n${address}\n`)
  await host.dialogCloses()
  expect(await ended()).toMatchObject({
    user: {
      isNewUser: true,
      loginMethod: 'wallet',
      loginAccount: { address, chainId: 'eip155:1', connectorType: 'wallet_connect' },
    },
  })
  await expect.poll(async () => (await phone.state()).sessions).toEqual([])
  expect(elsewhere).toEqual([])
})

// spec L8.20, L4.27
test('a rejected request is shown, and repeated without another scan', async ({
  host,
  page,
  phone,
  elsewhere,
}) => {
  const ended = await begin({ page, host })
  await phone.join(await getPairingLink(host))
  await phone.says('approve')
  await phone.says('reject')
  await expect(heading(host, 'Connection rejected')).toBeVisible()
  await host.dialog.getByRole('button', { name: 'Try again' }).click()
  await phone.says('approve')
  await host.dialogCloses()
  expect(await ended()).toMatchObject({ user: { loginMethod: 'wallet' } })
  expect(elsewhere).toEqual([])
})

test('a rejected session shows a new code the next time', async ({ host, page, phone, elsewhere }) => {
  await begin({ page, host })
  const first = await getPairingLink(host)
  await phone.join(first)
  await phone.says('reject')
  await expect(heading(host, 'Connection rejected')).toBeVisible()
  await host.dialog.getByRole('button', { name: 'Try again' }).click()
  expect(await getPairingLink(host)).not.toBe(first)
  expect(elsewhere).toEqual([])
})

test('closing the dialog ends the session of the phone', async ({ host, page, phone }) => {
  const ended = await begin({ page, host })
  await phone.join(await getPairingLink(host))
  await phone.says('approve')
  await expect(heading(host, 'Sign to verify')).toBeVisible()
  await host.dialog.getByRole('button', { name: 'Close' }).click()
  await host.dialogCloses()
  expect(await ended()).toMatchObject({ code: 'exited_auth_flow' })
  await expect.poll(phone.state).toMatchObject({ sessions: [], asked: [] })
})

test('a project that the relay does not know shows an error at once', async ({ host, page, stack }) => {
  await setFaults(stack, { walletconnect: 'unknown-project' })
  await begin({ page, host })
  await expect(heading(host, 'Could not connect')).toBeVisible()
})

test('a page uses a wallet that connected from a phone until it disconnects it', async ({
  host,
  page,
  phone,
}) => {
  await host.openOneLine()
  const connected = await beginCall<CallResult>(page, 'connectWallet')
  // The wallet's methods cannot be serialized, so the page keeps the object.
  await page.evaluate(() =>
    Reflect.get(globalThis as object, 'latchkey').on('walletConnected', ({ wallet }: { wallet: object }) =>
      Object.assign(globalThis, { wallet }),
    ),
  )
  await host.dialog.getByRole('button', { name: /^WalletConnect/ }).click()
  await phone.join(await getPairingLink(host))
  await phone.says('approve')
  await host.dialogCloses()
  const { address } = await phone.state()
  expect((await connected()).user).toMatchObject({ address, connectorType: 'wallet_connect' })
  expect((await phone.state()).sessions).toHaveLength(1)

  const signing = page.evaluate(
    (params) => Reflect.get(globalThis, 'wallet').provider.request({ method: 'personal_sign', params }),
    ['0x68c3a9', address],
  )
  await expect(heading(host, 'Confirm in your wallet')).toBeVisible()
  expect(await phone.says('approve')).toMatchObject({ type: 'sign', message: 'hé' })
  expect(await signing).toMatch(/^0x[0-9a-f]{130}$/)
  await host.dialogCloses()

  await page.evaluate(() => Reflect.get(globalThis, 'wallet').disconnect())
  await expect.poll(async () => (await phone.state()).sessions).toHaveLength(0)
})
