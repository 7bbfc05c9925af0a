/** A wallet of one app, used in an app of another operator. */
import { type Hex, parseEther, verifyMessage, verifyTypedData } from 'viem'
import { expectNoViolations } from '../pages/axe.ts'
import { cutsWindowsOff, openWindow, typeDigits } from '../pages/login-window.ts'
import { beginCall, getError, setConfig } from '../pages/page-calls.ts'
import {
  approve,
  getCrossAppWallet,
  type LoggedIn,
  logInAtProvider,
  logInWithWharf,
  openHost,
  request,
  toConsent,
} from '../pages/provider-window.ts'
import { createChainClient, someone } from '../pages/transactions.ts'
import { readDatabase } from '../stack/database.ts'
import { appId, appName } from '../stack/stack.ts'
import { type OtherOperator, otherOperator } from '../stack/two-operators.ts'
import { test as base, expect } from '../test.ts'

const test = base.extend<object, OtherOperator>(otherOperator)

test.slow()
test.use({ settings: ['session_mode=cookie', 'rpc_urls.31337=[{chain}]', 'test_networks=[31337]'] })

// spec L1.9, W2.31, W2.32, W4.22, W7.11, W7.12, W7.15, W7.16, W7.17
test('a user logs in with the wallet of another app, signs and sends with it', async ({
  context,
  host,
  page,
  stack,
  wharf,
  method,
  inbox,
}) => {
  const place = { context, host, page }
  await openHost(place, method)
  const { login, window } = await toConsent(place, inbox)
  await expect(host.dialog.getByRole('heading', { name: 'Waiting for Wharf' })).toBeVisible()
  expect(new URL(window.url()).origin).toBe(wharf.walletOrigin)
  await expect(window.getByText(appName, { exact: true })).toBeVisible()
  await expect(window.getByText(stack.hostOrigin.replace('https://', ''))).toBeVisible()
  await expectNoViolations(window, 'Consent', 'host')
  await approve(window, 'Allow')
  await expect(host.dialog.getByRole('heading', { name: 'Success' })).toBeVisible()
  const { address } = getCrossAppWallet((await login()).user?.user)
  await host.dialogCloses()

  const message = 'Signed in another app'
  const signing = await request<{ signature: Hex }>(place, 'signMessage', message, { address })
  await expect(signing.window.getByText(message)).toBeVisible()
  expect(new URL(signing.window.url())).toMatchObject({ origin: wharf.walletOrigin, search: '', hash: '' })
  await expect(signing.window.getByText(appName, { exact: true })).toBeVisible()
  await expectNoViolations(signing.window, 'Sign for another app', 'host')
  await approve(signing.window, 'Sign and continue')
  const { user: signed } = await signing.asked()
  expect(await verifyMessage({ address, message, signature: signed?.signature ?? '0x' })).toBe(true)
  await host.dialogCloses()

  const chain = createChainClient(stack.chainUrl)
  await chain.setBalance({ address, value: parseEther('2') })
  const before = await chain.getBalance({ address: someone })
  const transaction = { to: someone, value: '0x16345785d8a0000', chainId: 31337 }
  const sending = await request<{ transactionHash: Hex }>(place, 'sendTransaction', transaction, { address })
  await expect(sending.window.locator('.amount')).toHaveText('0.1 ETH')
  await approve(sending.window, 'Submit')
  const { user: sent } = await sending.asked()
  expect(sent?.transactionHash).toMatch(/^0x[0-9a-f]{64}$/)
  await expect.poll(() => chain.getBalance({ address: someone })).toBe(before + parseEther('0.1'))
  await host.dialogCloses()

  // The provider app's activity lists the actions.
  const said = readDatabase(
    wharf.databaseFile,
    "select event from audit_log where event like 'connected_app.%'",
  )
  expect(said.map(({ event }) => event)).toEqual([
    'connected_app.allowed',
    'connected_app.used',
    'connected_app.used',
  ])
})

// spec W8.28
test('another address and a watch-only address sign nothing', async ({
  context,
  host,
  page,
  method,
  inbox,
}) => {
  const place = { context, host, page }
  const { address } = await logInWithWharf(place, method, inbox, 'Allow view only')
  const [, said] = await getError(page, 'signMessage', 'Hello', { address: someone })
  expect(said).toBe('Cannot request a signature with this wallet address')
  const asked = await beginCall<{ code?: string }>(page, 'signMessage', 'Hello', { address })
  await host.dialog.getByRole('button', { name: 'Continue with Wharf' }).click()
  await expect(host.dialog.getByText('Failed to initialize signature request')).toBeVisible()
  await host.dialog.getByRole('button', { name: 'Close' }).first().click()
  expect(await asked()).toEqual({ code: 'unable_to_sign' })
})

// spec W8.33, W8.24
test('denying the request or leaving does not log the user in', async ({
  context,
  host,
  page,
  method,
  inbox,
}) => {
  const place = { context, host, page }
  await openHost(place, method)
  const { login, window } = await toConsent(place, inbox)
  await window.getByRole('button', { name: 'Deny' }).click()
  await expect(host.dialog.getByText('User denied confirmation during cross-app auth flow')).toBeVisible()
  await host.dialog.getByRole('button', { name: 'Close' }).first().click()
  expect((await login()).code).toBe('oauth_user_denied')
  await host.dialogCloses()

  const left = getError(page, 'login')
  const second = await openWindow(context, host.methodRow('Wharf'))
  await second.close()
  await expect(host.dialog.getByText('If you closed the Wharf window, open it again.')).toBeVisible()
  await host.dialog.getByRole('button', { name: 'Close' }).first().click()
  expect(await left).toEqual(['exited_auth_flow', 'User canceled flow'])
})

// spec W7.18, W8.26, W8.29
test('the cross-app wallet signs for libraries, unless its user rejects, closes the window, or ended the connection', async ({
  context,
  host,
  page,
  wharf,
  method,
  inbox,
}) => {
  const place = { context, host, page }
  const { address } = await logInWithWharf(place, method, inbox)
  const opens = host.dialog.getByRole('button', { name: 'Continue with Wharf' })
  const rejected = getError(page, 'signMessage', 'Not this', { address })
  const window = await openWindow(context, opens)
  await window.getByRole('button', { name: 'Reject' }).click()
  expect(await rejected).toEqual(['user_rejected_request', 'User rejected request'])
  await host.dialogCloses()

  const closed = getError(page, 'signMessage', 'Nor this', { address })
  const second = await openWindow(context, opens)
  await expect(second.getByText('Nor this')).toBeVisible()
  await second.close({ runBeforeUnload: true })
  expect(await closed).toEqual(['user_rejected_request', 'User rejected request'])
  await host.dialogCloses()

  const announced = await page.evaluate(async (wallet) => {
    const names: string[] = []
    addEventListener('eip6963:announceProvider', (event) =>
      names.push(Reflect.get(event, 'detail').info.name),
    )
    const handle: unknown = Reflect.get(globalThis, 'latchkey')
    const { getEthereumProvider } = handle as {
      getEthereumProvider: (options: object) => Promise<{ request: (asked: object) => Promise<unknown> }>
    }
    const provider = await getEthereumProvider({ address: wallet, announce: true })
    Reflect.set(globalThis, 'walletOfWharf', provider)
    dispatchEvent(new Event('eip6963:requestProvider'))
    return { names, accounts: await provider.request({ method: 'eth_accounts' }) }
  }, address)
  expect(announced.names.join()).toContain('Wharf')
  expect(announced.accounts).toEqual([address])
  const data = {
    domain: { name: 'Notes', version: '1', chainId: 31337 },
    types: { Note: [{ name: 'text', type: 'string' }] },
    primaryType: 'Note',
    message: { text: 'Typed in another app' },
  } as const
  const signature = page.evaluate(
    ([wallet, typed]) => {
      const provider: unknown = Reflect.get(globalThis, 'walletOfWharf')
      const { request } = provider as { request: (asked: object) => Promise<string> }
      return request({ method: 'eth_signTypedData_v4', params: [wallet, JSON.stringify(typed)] })
    },
    [address, data] as const,
  )
  const typing = await openWindow(context, opens)
  await expect(typing.getByText('Typed in another app')).toBeVisible()
  await approve(typing, 'Sign and continue')
  expect(await verifyTypedData({ address, ...data, signature: (await signature) as Hex })).toBe(true)
  await host.dialogCloses()

  const own = await context.newPage()
  await own.goto(`${wharf.dialogOrigin}/apps/${wharf.appId}/dialog`)
  await logInAtProvider(own, inbox)
  await own.getByRole('button', { name: 'Connected apps' }).click()
  await own.getByRole('button', { name: 'Disconnect' }).click()
  const asking = own.locator('[data-leaving="false"]', {
    has: own.getByRole('heading', { name: `Disconnect ${appName}?` }),
  })
  await asking.getByRole('button', { name: 'Disconnect' }).click()
  await expect(own.getByText(`${appName} is disconnected`)).toBeVisible()
  await own.close()

  const asked = await beginCall<{ user?: { signature: Hex } }>(page, 'signMessage', 'Again', {
    address,
  })
  await opens.click()
  await expect(host.dialog.getByText(/^Transactions require a valid token/)).toBeVisible()
  const again = await openWindow(context, host.dialog.getByRole('button', { name: 'Connect Wharf' }))
  await approve(again, 'Allow')
  const signing = await openWindow(context, opens)
  await approve(signing, 'Sign and continue')
  const { user } = await asked()
  expect(await verifyMessage({ address, message: 'Again', signature: user?.signature ?? '0x' })).toBe(true)
})

test('an opener policy that cuts off windows gets the result through the servers', async ({
  context,
  host,
  page,
  stack,
  method,
  inbox,
}) => {
  await stack.app('set', appId, cutsWindowsOff(true))
  const place = { context, host, page }
  await host.openOneLine('?coop')
  await setConfig(page, { loginMethods: ['email', method] })
  const login = await beginCall<LoggedIn>(page, 'login')
  const window = await openWindow(context, host.methodRow('Wharf'))
  await typeDigits(window, host.dialog)
  await logInAtProvider(window, inbox)
  await approve(window, 'Allow')
  const { address } = getCrossAppWallet((await login()).user?.user)
  await host.dialogCloses()
  const signing = await request<{ signature: Hex }>(place, 'signMessage', 'Cut off', { address })
  await typeDigits(signing.window, host.dialog)
  await approve(signing.window, 'Sign and continue')
  const { user } = await signing.asked()
  expect(await verifyMessage({ address, message: 'Cut off', signature: user?.signature ?? '0x' })).toBe(true)
})
