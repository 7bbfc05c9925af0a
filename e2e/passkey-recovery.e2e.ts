/** A wallet that a passkey of its own keeps: set, brought to another site, and what goes wrong. */
import type { Page } from '@playwright/test'
import { onAnotherSite } from './pages/another-site.ts'
import { expectNoViolations } from './pages/axe.ts'
import type { HostPage } from './pages/host-page.ts'
import { beginCall, logInByEmail } from './pages/page-calls.ts'
import { addDevice } from './pages/passkey-device.ts'
import { forms, recordMessages } from './pages/recorded-messages.ts'
import type { Inbox } from './stack/inbox.ts'
import { appId, type Stack } from './stack/stack.ts'
import { expect, test } from './test.ts'

type Ended = { readonly user?: { readonly address?: string }; readonly code?: string }
const begin = beginCall<Ended>
const options = (methods: readonly string[]) =>
  `embedded_wallet_config.user_owned_recovery_options=${JSON.stringify(methods)}`

test.beforeEach(async ({ stack }) => {
  test.setTimeout(150_000)
  await stack.app('set', appId, options(['passkey', 'user-passcode']))
})
test.afterEach(({ stack }) => stack.app('set', appId, options([])))

async function logIn(host: HostPage, inbox: Inbox) {
  await host.openOneLine()
  await logInByEmail({ page: host.page, host, inbox })
}

const title = { set: 'Secure with a passkey', recover: 'Recover with your passkey' } as const

/** To the card that leads to the window of the passkey. */
async function choose({ page, dialog }: HostPage) {
  const set = await begin(page, 'setWalletRecovery')
  await expect(dialog.getByRole('heading', { name: 'Secure your account' })).toBeVisible()
  await dialog.getByRole('button', { name: 'Passkey', exact: true }).click()
  await expect(dialog.getByRole('heading', { name: title.set })).toBeVisible()
  return set
}
const press = ({ dialog }: HostPage, name: string) => dialog.getByRole('button', { name }).click()

/** What the wallet frame and the server do together is given the time that its calls have. */
async function secured(host: HostPage, set: () => Promise<Ended>): Promise<string> {
  const { dialog } = host
  await expect(dialog.getByRole('heading', { name: 'Your account is secured' })).toBeVisible({
    timeout: 30_000,
  })
  const address = (await set()).user?.address
  await press(host, 'All done')
  await host.dialogCloses()
  return address ?? ''
}

/** The window, and a device at it: its passkeys are of the wallet's origin. */
async function windowWith(host: HostPage, plugged: Parameters<typeof addDevice>[1]) {
  const window = await openWindow(host)
  const device = await addDevice(window, plugged)
  return { window, device }
}
const pressIn = (window: Page, name: string) => window.getByRole('button', { name }).click()
const use = (window: Page) =>
  pressGated(
    window
      .getByRole('button', { name: 'Use this passkey' })
      .or(window.getByRole('button', { name: 'Press again' })),
  )

async function setPasskey(host: HostPage): Promise<Device> {
  const set = await choose(host)
  const { window, device } = await windowWith(host, { prf: true })
  await pressIn(window, 'Create passkey')
  await use(window)
  await secured(host, set)
  return device
}

/** The passkeys of the browser are there. */
async function signOnAnotherSite(page: Page, stack: Stack, inbox: Inbox) {
  const there = await onAnotherSite(page, stack, inbox)
  const signed = await begin(page, 'signMessage', 'hello')
  await expect(there.dialog.getByRole('heading', { name: title.recover })).toBeVisible()
  return { there, signed }
}

async function signs(host: HostPage, signed: () => Promise<Ended>) {
  await host.dialog.getByRole('button', { name: 'Sign and continue' }).waitFor({ timeout: 30_000 })
  await host.escape()
  expect(await signed()).toEqual({ code: 'user_rejected_request' })
}

/** In each document: what a passkey gives is told to the test, and may be looked at again later. */
const tellSecrets = `{
  const given = []
  globalThis.__given = given
  for (const name of ['get', 'create']) {
    const ask = CredentialsContainer.prototype[name]
    CredentialsContainer.prototype[name] = async function (...args) {
      const credential = await ask.apply(this, args)
      const first = credential?.getClientExtensionResults?.().prf?.results?.first
      if (first) {
        given.push(first)
        globalThis.__secret(Array.from(new Uint8Array(first)))
        credential.getClientExtensionResults = () => ({ prf: { enabled: true, results: { first } } })
      }
      return credential
    }
  }
}
`

test('a wallet that a passkey keeps comes to another site, and what the passkey gave is nowhere', async ({
  context,
  host,
  inbox,
  page,
  stack,
}) => {
  const secrets: string[] = []
  const traces: string[] = []
  await context.exposeFunction('__secret', (bytes: number[]) => {
    secrets.push(...forms(Uint8Array.from(bytes)))
  })
  await context.exposeFunction('__record', (where: string, text: string) => traces.push(where + text))
  await context.addInitScript(tellSecrets)
  await context.addInitScript(recordMessages)
  context.on('request', (request) =>
    traces.push(request.url(), JSON.stringify(request.headers()), request.postData() ?? ''),
  )
  const device = await addDevice(page, { prf: true })
  await logIn(host, inbox)
  const set = await choose(host)
  await expectNoViolations(page, 'securing with a passkey')
  await press(host, 'Create passkey')
  expect(await secured(host, set)).toMatch(/^0x/)
  expect(await device.passkeys()).toBe(1)
  expect(secrets.length).toBeGreaterThan(0)
  /** All that every passkey gave is zeroed. */
  const areWiped = async () => {
    const wiped = await Promise.all(
      page.frames().map((frame) =>
        frame.evaluate(() => {
          const given: readonly ArrayBuffer[] = Reflect.get(globalThis, '__given') ?? []
          return given.map((first) => new Uint8Array(first).every((byte) => byte === 0))
        }),
      ),
    )
    expect(wiped.flat()).toContain(true)
    expect(wiped.flat()).not.toContain(false)
  }
  await areWiped()

  const { there, signed } = await signOnAnotherSite(page, stack, inbox)
  await expectNoViolations(page, 'recovering with a passkey')
  await press(there, 'Use passkey')
  await there.dialog.getByRole('button', { name: 'Sign and continue' }).waitFor({ timeout: 30_000 })
  await areWiped()
  await signs(there, signed)

  const { origins } = await context.storageState({ indexedDB: true })
  traces.push(JSON.stringify(origins), stack.logs('server'))
  const everything = traces.join('\n')
  expect(everything).toContain('latchkey:wallet:set-recovery')
  expect(everything).toContain('recoveryPasskey')
  for (const secret of secrets) expect(everything.includes(secret)).toBe(false)
})

test('who breaks the request off is told so, and tries again; the same with a passkey that is elsewhere', async ({
  host,
  inbox,
  page,
  stack,
}) => {
  const device = await addDevice(page, { prf: true })
  await logIn(host, inbox)
  const { dialog } = host
  const set = await choose(host)
  await device.setRecognises(false)
  await press(host, 'Create passkey')
  await expect(dialog.getByText('The request timed out or was cancelled. Please try again.')).toBeVisible()
  expect(await device.passkeys()).toBe(0)
  // Of one that took somebody else for its user several times, nothing is to be had any more.
  await device.replace()
  await press(host, 'Try again')
  await secured(host, set)

  await device.replace()
  const { there, signed } = await signOnAnotherSite(page, stack, inbox)
  await press(there, 'Use passkey')
  await expect(there.dialog.getByText('or this device does not have the passkey')).toBeVisible()
  await host.escape()
  expect(await signed()).toEqual({ code: 'user_rejected_request' })
})

test('who closes while the device still asks has made no passkey, and may make one the next time', async ({
  host,
  inbox,
  page,
}) => {
  const device = await addDevice(page, { prf: true })
  await logIn(host, inbox)
  const set = await choose(host)
  await device.setPresent(false)
  await press(host, 'Create passkey')
  await expect(host.dialog.getByRole('heading', { name: 'Waiting for your passkey' })).toBeVisible()
  await host.escape()
  expect(await set()).toEqual({ code: 'user_exited_set_password_flow' })
  await host.dialogCloses()
  expect(await device.passkeys()).toBe(0)
  await device.setPresent(true)
  await setPasskey(host)
  expect(await device.passkeys()).toBe(1)
})

test('a passkey that gives nothing cannot protect a wallet, and leaves it as it was', async ({
  host,
  inbox,
  page,
}) => {
  await addDevice(page)
  await logIn(host, inbox)
  const set = await choose(host)
  await press(host, 'Create passkey')
  await expect(host.dialog.getByText('This passkey cannot protect a wallet.')).toBeVisible()
  await press(host, 'Cancel')
  expect(await set()).toEqual({ code: 'user_exited_set_password_flow' })
  await host.dialogCloses()
  // It is recovered as before, so that nobody is asked for anything.
  const signed = await begin(page, 'signMessage', 'hello')
  await signs(host, signed)
})

test('a passkey that gives something else does not open the wallet, and the right one then does', async ({
  host,
  inbox,
  page,
  stack,
}) => {
  await addDevice(page, { prf: true })
  await logIn(host, inbox)
  await setPasskey(host)
  const asked = /\/recovery\/passkeys\/init$/
  // Once, the salt of another passkey: this one then gives something else.
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
  await press(there, 'Use passkey')
  await expect(there.dialog.getByText('This passkey does not open this wallet.')).toBeVisible({
    timeout: 30_000,
  })
  await press(there, 'Try again')
  await signs(there, signed)
})

test('it is offered where the app has it on and the browser has it, and nowhere else', async ({
  host,
  inbox,
  page,
  stack,
}) => {
  await addDevice(page, { prf: true })
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
