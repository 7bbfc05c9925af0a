/** Recovery by Google Drive and iCloud: setting it, recovering on another site, and failures. */

import type { Inbox } from '@latchkey/sandbox'
import type { BrowserContext } from '@playwright/test'
import { onAnotherSite } from '../pages/another-site.ts'
import { expectNoViolations } from '../pages/axe.ts'
import { type Cloud, changeFiles, clouds, getFiles, openCloud, signInAs } from '../pages/cloud-window.ts'
import type { HostPage } from '../pages/host-page.ts'
import { beginCall, logInByEmail } from '../pages/page-calls.ts'
import { pressGated } from '../pages/pointer.ts'
import { setFaults } from '../stack/faults.ts'
import { expect, test } from '../test.ts'

type Ended = {
  user?: { address?: string; signature?: string }
  code?: string
}
const begin = beginCall<Ended>
const options = (methods: readonly string[]) =>
  `embedded_wallet_config.user_owned_recovery_options=${JSON.stringify(methods)}`

test.describe.configure({ timeout: 360_000 })
test.use({ settings: [options(['google-drive', 'icloud', 'user-passcode'])] })
test.afterEach(({ stack }) => setFaults(stack, { googleDrive: 'none', cloudKit: 'none' }))

async function logIn(host: HostPage, inbox: Inbox) {
  await host.openOneLine()
  await logInByEmail({ page: host.page, host, inbox })
}

/** Opens the screen of the cloud. */
async function choose({ page, dialog }: HostPage, cloud: Cloud) {
  const set = await begin(page, 'setWalletRecovery')
  await expect(dialog.getByRole('heading', { name: 'Secure your account' })).toBeVisible()
  await expect(dialog.getByText('Why do I need to secure my account?')).toBeVisible()
  const labels = { 'google-drive': 'Google Drive backup', icloud: 'Apple iCloud backup' }
  await dialog.getByRole('button', { name: labels[cloud] }).click()
  await expect(dialog.getByRole('heading', { name: `Back up to ${clouds[cloud].title}` })).toBeVisible()
  return set
}

/** Signs in, and confirms the cloud in the wallet window. */
async function signInAndConfirm(context: BrowserContext, host: HostPage, cloud: Cloud, person: string) {
  const window = await signInAs(context, host, person)
  await pressGated(window.getByRole('button', { name: `Use ${clouds[cloud].title}`, exact: true }))
}

async function setBy(context: BrowserContext, host: HostPage, cloud: Cloud, person: string) {
  const set = await choose(host, cloud)
  await signInAndConfirm(context, host, cloud, person)
  await isSecured(host)
  const address = (await set()).user?.address
  await host.dialog.getByRole('button', { name: 'All done' }).click()
  await host.dialogCloses()
  return address ?? ''
}

/** Waits within the deadlines of the wallet frame, cloud and server calls. */
const isSecured = ({ dialog }: HostPage) =>
  expect(dialog.getByRole('heading', { name: 'Your account is secured' })).toBeVisible()

async function signsOnceOpen(host: HostPage, signed: () => Promise<Ended>) {
  await host.dialog.getByRole('button', { name: 'Sign and continue' }).waitFor()
  await host.escape()
  expect(await signed()).toEqual({ code: 'user_rejected_request' })
}

// spec W2.5, W2.11, W4.4
for (const cloud of ['google-drive', 'icloud'] as const) {
  test(`a wallet kept in ${cloud} is recovered on another site for the same person`, async ({
    context,
    host,
    inbox,
    page,
    somebody,
    stack,
  }) => {
    await logIn(host, inbox)
    const address = await setBy(context, host, cloud, somebody)
    const named = (await getFiles(stack.sandboxUrl, cloud)).filter(({ name }) => name.includes(address))
    expect(named).toHaveLength(1)
    expect(JSON.parse(named[0]?.content ?? '')).toMatchObject({ v: 1, generation: 2 })

    const there = await onAnotherSite(await context.newPage(), stack, inbox)
    const signed = await begin(there.page, 'signMessage', 'hello')
    const { title } = clouds[cloud]
    await expect(there.dialog.getByRole('heading', { name: `Recover with ${title}` })).toBeVisible()
    await expectNoViolations(there.page, `recovering with ${title}`)
    await signInAs(context, there, 'Somebody with another account')
    await expect(there.dialog.getByText(`The key to this wallet is not in this ${title}.`)).toBeVisible()
    await signInAs(context, there, somebody)
    await signsOnceOpen(there, signed)
    await page.close()
  })
}

test('denied access, a full Drive and an expired session show their errors and can be retried', async ({
  context,
  host,
  inbox,
  somebody,
  stack,
}) => {
  await logIn(host, inbox)
  const { dialog } = host
  const set = await choose(host, 'google-drive')
  await expectNoViolations(host.page, 'backing up to Google Drive')
  const { ofCloud } = await openCloud(context, host)
  await ofCloud.getByRole('button', { name: 'Deny' }).click()
  await expect(dialog.getByText('You did not allow access in Google Drive.')).toBeVisible()
  await setFaults(stack, { googleDrive: 'full' })
  await signInAndConfirm(context, host, 'google-drive', somebody)
  await expect(dialog.getByText('Your Google Drive is full.')).toBeVisible()
  await setFaults(stack, { googleDrive: 'expired' })
  await signInAndConfirm(context, host, 'google-drive', somebody)
  await expect(dialog.getByText('An error has occurred, please try again.')).toBeVisible()
  await setFaults(stack, { googleDrive: 'none' })
  await signInAndConfirm(context, host, 'google-drive', somebody)
  await isSecured(host)
  expect((await set()).user?.address).toMatch(/^0x/)
})

test('a missing file and one of another wallet show an error and recover nothing', async ({
  context,
  host,
  inbox,
  somebody,
  stack,
}) => {
  await logIn(host, inbox)
  await setBy(context, host, 'google-drive', somebody)
  const there = await onAnotherSite(await context.newPage(), stack, inbox)
  const signed = await begin(there.page, 'signMessage', 'hello')
  await expect(there.dialog.getByRole('heading', { name: 'Recover with Google Drive' })).toBeVisible()
  await changeFiles(stack.sandboxUrl, 'google-drive', 'foreign')
  await signInAs(context, there, somebody)
  await expect(there.dialog.getByText('does not open this wallet')).toBeVisible()
  await changeFiles(stack.sandboxUrl, 'google-drive', 'cleared')
  await signInAs(context, there, somebody)
  await expect(there.dialog.getByText('The key to this wallet is not in this Google Drive.')).toBeVisible()
  await there.escape()
  expect(await signed()).toEqual({ code: 'user_rejected_request' })
})

test('a tab that closes between the file and the commit leaves the wallet unchanged', async ({
  context,
  host,
  inbox,
  page,
  somebody,
  stack,
}) => {
  await logIn(host, inbox)
  // A held request is sent when its page closes, but an aborted one is not.
  const { promise: asked, resolve: isAsked } = Promise.withResolvers<void>()
  await page.route(/\/wallets\/reshare\/commit$/, async (route) => {
    await route.abort()
    isAsked()
  })
  await choose(host, 'google-drive')
  await signInAndConfirm(context, host, 'google-drive', somebody)
  await asked
  const before = (await getFiles(stack.sandboxUrl, 'google-drive')).length
  expect(before).toBeGreaterThan(0)
  await page.close()

  const there = await onAnotherSite(await context.newPage(), stack, inbox)
  await signsOnceOpen(there, await begin(there.page, 'signMessage', 'hello'))
  // Then set it again, from the current state.
  await setBy(context, there, 'google-drive', somebody)
})

// spec W7.10
test('only the wallet frame receives the token of Google Drive', async ({
  context,
  host,
  inbox,
  page,
  somebody,
  stack,
}) => {
  await context.addInitScript(() => {
    const heard: string[] = []
    Reflect.set(globalThis, '__heard', heard)
    const note = (data: unknown) => heard.push(JSON.stringify(data) ?? '')
    addEventListener('message', ({ data }) => note(data), true)
    const { postMessage } = MessagePort.prototype
    MessagePort.prototype.postMessage = function (data: unknown, ...rest: never[]) {
      note(data)
      return Reflect.apply(postMessage, this, [data, ...rest])
    }
  })
  const addresses: string[] = []
  const tokens: string[] = []
  context.on('request', (request) => addresses.push(request.url()))
  context.on('response', async (response) => {
    if (!response.url().endsWith('/recovery/oauth/authenticate')) return
    expect(new URL(response.url()).origin).toBe(stack.walletOrigin)
    const { access_token: token } = (await response.json()) as { access_token?: string }
    if (token) tokens.push(token)
  })
  await logIn(host, inbox)
  await setBy(context, host, 'google-drive', somebody)
  expect(tokens).toHaveLength(1)
  const [token = ''] = tokens
  expect(addresses.filter((address) => address.includes(token))).toEqual([])
  expect(stack.logs('server')).not.toContain(token)
  let said = 0
  for (const frame of page.frames()) {
    const [heard, stored] = await frame.evaluate(() => [
      JSON.stringify(Reflect.get(globalThis, '__heard')),
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
    ])
    said += heard?.length ?? 0
    expect(heard).not.toContain(token)
    expect(stored).not.toContain(token)
  }
  expect(said).toBeGreaterThan(1_000)
})
