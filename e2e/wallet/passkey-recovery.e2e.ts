/** Recovery by passkey: setting it, recovering on another site, and failures. */

import type { Inbox } from '@latchkey/sandbox'
import type { BrowserContext, Page } from '@playwright/test'
import { onAnotherSite } from '../pages/another-site.ts'
import { expectNoViolations } from '../pages/axe.ts'
import type { HostPage } from '../pages/host-page.ts'
import { beginCall, logInByEmail } from '../pages/page-calls.ts'
import { addDevice, type Device } from '../pages/passkey-device.ts'
import { pressGated } from '../pages/pointer.ts'
import { forms, recordMessages } from '../pages/recorded-messages.ts'
import { openWindow } from '../pages/recovery-window.ts'
import { appId, type Stack } from '../stack/stack.ts'
import { expect, test } from '../test.ts'

type Ended = { user?: { address?: string }; code?: string }
const begin = beginCall<Ended>
const options = (methods: readonly string[]) =>
  `embedded_wallet_config.user_owned_recovery_options=${JSON.stringify(methods)}`

test.describe.configure({ timeout: 360_000 })
test.use({ settings: [options(['passkey', 'user-passcode'])] })

async function logIn(host: HostPage, inbox: Inbox) {
  await host.openOneLine()
  await logInByEmail({ page: host.page, host, inbox })
}

const title = { set: 'Secure with a passkey', recover: 'Recover with your passkey' } as const

/** Opens the card that leads to the passkey window. */
async function choose({ page, dialog }: HostPage) {
  const set = await begin(page, 'setWalletRecovery')
  await expect(dialog.getByRole('heading', { name: 'Secure your account' })).toBeVisible()
  await dialog.getByRole('button', { name: 'Passkey', exact: true }).click()
  await expect(dialog.getByRole('heading', { name: title.set })).toBeVisible()
  return set
}
const press = ({ dialog }: HostPage, name: string) => dialog.getByRole('button', { name }).click()

/** Waits within the deadlines of the wallet frame and server calls. */
async function secured(host: HostPage, set: () => Promise<Ended>): Promise<string> {
  const { dialog } = host
  await expect(dialog.getByRole('heading', { name: 'Your account is secured' })).toBeVisible({
    timeout: 45_000,
  })
  const address = (await set()).user?.address
  await press(host, 'All done')
  await host.dialogCloses()
  return address ?? ''
}

/** Opens the window with a virtual authenticator, whose passkeys belong to the wallet origin. */
async function windowWith(host: HostPage, plugged: Parameters<typeof addDevice>[1]) {
  const window = await openWindow(host)
  const device = await addDevice(window, plugged)
  return { window, device }
}
const pressIn = (window: Page, name: string) => window.getByRole('button', { name }).click()
const use = (window: Page) => pressGated(window.getByRole('button', { name: 'Use this passkey' }))

async function setPasskey(host: HostPage): Promise<Device> {
  const set = await choose(host)
  const { window, device } = await windowWith(host, { prf: true })
  await pressIn(window, 'Create passkey')
  await use(window)
  await secured(host, set)
  return device
}

async function signOnAnotherSite(page: Page, stack: Stack, inbox: Inbox) {
  const there = await onAnotherSite(page, stack, inbox)
  const signed = await begin(page, 'signMessage', 'hello')
  await expect(there.dialog.getByRole('heading', { name: title.recover })).toBeVisible()
  return { there, signed }
}

/** Opens the window with the same device. */
async function windowWithSame(host: HostPage, device: Device) {
  const window = await openWindow(host)
  return { window, device: await device.takeTo(window) }
}

async function signs(host: HostPage, signed: () => Promise<Ended>) {
  await host.dialog.getByRole('button', { name: 'Sign and continue' }).waitFor()
  await host.escape()
  expect(await signed()).toEqual({ code: 'user_rejected_request' })
}

/**
 * A script for each document: reports PRF outputs to the test, and keeps them for a later check. A virtual
 * authenticator in another window keeps its passkeys but not their PRF seeds. So the test remembers them: the
 * same passkey and salt give the same output.
 */
const tellSecrets = `{
  const given = []
  globalThis.__given = given
  for (const name of ['get', 'create']) {
    const ask = CredentialsContainer.prototype[name]
    CredentialsContainer.prototype[name] = async function (...args) {
      const credential = await ask.apply(this, args)
      const salt = args[0]?.publicKey?.extensions?.prf?.eval?.first
      if (!salt || !credential?.getClientExtensionResults) return credential
      const { prf } = credential.getClientExtensionResults()
      const own = prf?.results?.first
      const of = credential.id + Array.from(new Uint8Array(salt.buffer ?? salt)).join()
      const kept = await globalThis.__secret(of, own ? Array.from(new Uint8Array(own)) : undefined)
      if (!kept) return credential
      const first = own ?? Uint8Array.from(kept).buffer
      given.push(first)
      credential.getClientExtensionResults = () => ({ prf: { enabled: true, results: { first } } })
      return credential
    }
  }
}
`

/** Records the PRF outputs of this browser's passkeys, in every encoding in which they could leak. */
async function rememberSecrets(context: BrowserContext): Promise<readonly string[]> {
  const secrets: string[] = []
  const kept = new Map<string, readonly number[]>()
  await context.exposeFunction('__secret', (of: string, bytes: readonly number[] | undefined) => {
    // A device without any PRF output has nothing to remember.
    const secret = bytes ?? kept.get(of) ?? (kept.size > 0 ? Array.from({ length: 32 }, () => 7) : undefined)
    if (!secret) return undefined
    kept.set(of, secret)
    secrets.push(...forms(Uint8Array.from(secret)))
    return secret
  })
  await context.addInitScript(tellSecrets)
  return secrets
}

/** Checks that all PRF outputs in this window are zeroed. */
async function areWiped(window: Page) {
  const wiped = await window.evaluate(() => {
    const given: readonly ArrayBuffer[] = Reflect.get(globalThis, '__given') ?? []
    return given.map((first) => new Uint8Array(first).every((byte) => byte === 0))
  })
  expect(wiped).toContain(true)
  expect(wiped).not.toContain(false)
}

test('a passkey recovers the wallet on another site, and its secret leaks nowhere', async ({
  context,
  host,
  inbox,
  page,
  stack,
}) => {
  const secrets = await rememberSecrets(context)
  const traces: string[] = []
  await context.exposeFunction('__record', (where: string, text: string) => traces.push(where + text))
  await context.addInitScript(recordMessages)
  context.on('request', (request) =>
    traces.push(request.url(), JSON.stringify(request.headers()), request.postData() ?? ''),
  )
  await logIn(host, inbox)
  const set = await choose(host)
  await expectNoViolations(page, 'leading to the window of a passkey')
  const { window, device } = await windowWith(host, { prf: true })
  await expect(window.getByRole('heading', { name: title.set })).toBeVisible()
  await expectNoViolations(window, 'securing with a passkey', 'host')
  await pressIn(window, 'Create passkey')
  const approval = window.getByRole('heading', { name: 'Secure your wallet with a passkey?' })
  await expect(approval).toBeVisible()
  await expectNoViolations(window, 'approving a passkey', 'host')
  await areWiped(window)
  await use(window)
  expect(await secured(host, set)).toMatch(/^0x/)
  expect(await device.passkeys()).toBe(1)
  expect(secrets.length).toBeGreaterThan(0)

  const { there, signed } = await signOnAnotherSite(page, stack, inbox)
  await expectNoViolations(page, 'leading to the window of a recovery')
  const again = await windowWithSame(there, device)
  await expect(again.window.getByRole('heading', { name: title.recover })).toBeVisible()
  await expectNoViolations(again.window, 'recovering with a passkey', 'host')
  await pressIn(again.window, 'Use passkey')
  await there.dialog.getByRole('button', { name: 'Sign and continue' }).waitFor()
  await signs(there, signed)

  const { origins } = await context.storageState({ indexedDB: true })
  traces.push(JSON.stringify(origins), stack.logs('server'))
  const everything = traces.join('\n')
  expect(everything).toContain('latchkey:wallet:set-recovery')
  expect(everything).toContain('recoveryWindow')
  for (const secret of secrets) expect(everything.includes(secret)).toBe(false)
})

test('a cancelled request and a missing passkey show an error and can be retried', async ({
  host,
  inbox,
  page,
  stack,
}) => {
  await logIn(host, inbox)
  const set = await choose(host)
  const { window, device } = await windowWith(host, { prf: true })
  await device.setVerifiesUser(false)
  await pressIn(window, 'Create passkey')
  await expect(window.getByText('The request timed out or was cancelled. Please try again.')).toBeVisible()
  expect(await device.passkeys()).toBe(0)
  // A device that rejected its user several times is locked.
  await device.replace()
  await pressIn(window, 'Try again')
  await use(window)
  await secured(host, set)

  const { there, signed } = await signOnAnotherSite(page, stack, inbox)
  const other = await windowWith(there, { prf: true })
  await pressIn(other.window, 'Use passkey')
  await expect(other.window.getByText('or this device does not have the passkey')).toBeVisible()
  await other.window.close()
  await expect(there.dialog.getByText('The window was closed')).toBeVisible()
  await host.escape()
  expect(await signed()).toEqual({ code: 'user_rejected_request' })
})

test('closing during the request creates no passkey, and the next attempt works', async ({ host, inbox }) => {
  await logIn(host, inbox)
  const set = await choose(host)
  const { window, device } = await windowWith(host, { prf: true })
  await device.setPresent(false)
  await pressIn(window, 'Create passkey')
  await expect(window.getByRole('heading', { name: 'Waiting for your passkey' })).toBeVisible()
  expect(await device.passkeys()).toBe(0)
  await window.close()
  await expect(host.dialog.getByText('The window was closed before anything was done.')).toBeVisible()
  await host.escape()
  expect(await set()).toEqual({ code: 'user_exited_set_password_flow' })
  await host.dialogCloses()
  expect(await (await setPasskey(host)).passkeys()).toBe(1)
})

test('a passkey without PRF support cannot protect a wallet, which stays unchanged', async ({
  host,
  inbox,
  page,
}) => {
  await logIn(host, inbox)
  const set = await choose(host)
  const { window } = await windowWith(host, {})
  await pressIn(window, 'Create passkey')
  await expect(window.getByText('This passkey cannot protect a wallet.')).toBeVisible()
  await press(host, 'Cancel')
  expect(await set()).toEqual({ code: 'user_exited_set_password_flow' })
  await host.dialogCloses()
  await expect(window.getByRole('heading', { name: 'The app that asked is gone' })).toBeVisible()
  // It is still recovered silently.
  const signed = await begin(page, 'signMessage', 'hello')
  await signs(host, signed)
})

test('a passkey with a different secret does not open the wallet, and the right one does', async ({
  context,
  host,
  inbox,
  page,
  stack,
}) => {
  await rememberSecrets(context)
  await logIn(host, inbox)
  const device = await setPasskey(host)
  const asked = /\/recovery\/passkeys\/init$/
  // Use another passkey's salt once, so that this one gives a different secret.
  const other = 'A'.repeat(43)
  await page.route(
    asked,
    async (route) => {
      const answer = await route.fetch()
      await route.fulfill({ response: answer, json: { ...(await answer.json()), salt: other } })
    },
    { times: 1 },
  )
  const { there, signed } = await signOnAnotherSite(page, stack, inbox)
  const { window } = await windowWithSame(there, device)
  await pressIn(window, 'Use passkey')
  await expect(window.getByText('This passkey does not open this wallet.')).toBeVisible({
    timeout: 45_000,
  })
  await pressIn(window, 'Try again')
  await signs(there, signed)
})

test('passkey recovery is offered only if both the app and the browser support it', async ({
  host,
  inbox,
  page,
  stack,
}) => {
  await logIn(host, inbox)
  const { dialog } = host
  await choose(host)
  await host.escape()
  await host.dialogCloses()

  await page.addInitScript(() => {
    Object.assign(PublicKeyCredential, { getClientCapabilities: async () => ({ 'extension:prf': false }) })
  })
  await host.openOneLine()
  await begin(page, 'setWalletRecovery')
  await expect(dialog.getByRole('heading', { name: 'Create your password' })).toBeVisible()

  await stack.app('set', appId, options(['user-passcode', 'icloud']))
  await host.openOneLine()
  await begin(page, 'setWalletRecovery')
  await expect(dialog.getByRole('heading', { name: 'Secure your account' })).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Passkey', exact: true })).toBeHidden()
})
