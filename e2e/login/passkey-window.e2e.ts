/** Browsers that block passkeys in frames: each passkey request opens its own window. */
import type { BrowserContext, Page } from '@playwright/test'
import { expectNoViolations } from '../pages/axe.ts'
import type { HostPage } from '../pages/host-page.ts'
import { cutsWindowsOff, typeDigits } from '../pages/login-window.ts'
import { beginCall, logInByEmail } from '../pages/page-calls.ts'
import { addDevice, type Device } from '../pages/passkey-device.ts'
import { watchRequests } from '../stack/https/front.ts'
import { appId } from '../stack/stack.ts'
import { expect, test } from '../test.ts'

type CallResult = { user?: Record<string, unknown>; code?: string }
const begin = beginCall<CallResult>

// Each test opens and checks two pages.
test.slow()

test.use({ settings: ['passkey_auth=true', 'mfa_methods=["passkey"]'] })

const blocking = '?passkeys=block'
const heading = (host: HostPage, name: string) => host.dialog.getByRole('heading', { name })
const button = (host: HostPage, name: string | RegExp) => host.dialog.getByRole('button', { name })

/** Presses the button on the card. Returns the window that it opens, with the user's device attached. */
async function openWindow(host: HostPage, context: BrowserContext, device?: Device, isCutOff = false) {
  await expect(heading(host, 'One more step')).toBeVisible()
  const [opened] = await Promise.all([context.waitForEvent('page'), button(host, 'Continue').click()])
  if (isCutOff) await typeDigits(opened, host.dialog)
  await expect(opened.getByRole('button', { name: 'Cancel' })).toBeVisible()
  return { opened, device: device ? await device.takeTo(opened) : await addDevice(opened) }
}

const press = (opened: Page, name: string) => opened.getByRole('button', { name }).click()

async function addPasskey(host: HostPage, context: BrowserContext): Promise<Device> {
  const linked = await begin(host.page, 'linkPasskey')
  await button(host, 'Add new passkey').click()
  const { opened, device } = await openWindow(host, context)
  await press(opened, 'Create passkey')
  await expect(heading(host, 'Passkey added')).toBeVisible()
  expect(await linked()).toMatchObject({
    user: { linkedAccounts: expect.arrayContaining([expect.objectContaining({ type: 'passkey' })]) },
  })
  await host.dialogCloses()
  return device
}

// spec L1.5
for (const [name, query, isCutOff] of [
  ['a page, after requests that the user cancels', blocking, false],
  ['a page that keeps no window of its own', `${blocking}&coop=1`, true],
] as const) {
  test(`a passkey is created in a window and logs the same user in there, on ${name}`, async ({
    host,
    inbox,
    page,
    context,
    stack,
  }) => {
    await stack.app('set', appId, cutsWindowsOff(isCutOff))
    const getRequests = watchRequests(stack)
    await host.openOneLine(query)
    await logInByEmail({ page, host, inbox })
    const linked = await begin(page, 'linkPasskey')
    await button(host, 'Add new passkey').click()
    await expect(heading(host, 'One more step')).toBeVisible()
    await expectNoViolations(page, 'before the window of a passkey')
    const { opened, device } = await openWindow(host, context, undefined, isCutOff)
    await expect(heading(host, 'Continue in the window that opened')).toBeVisible()
    await expectNoViolations(page, 'while the window of a passkey is open')
    await expect(opened.getByRole('heading', { name: 'Create a passkey' })).toBeVisible()
    await expect(opened.getByText(new URL(page.url()).host)).toBeVisible()
    const opening = { method: 'GET', site: 'same-origin', mode: 'navigate', dest: 'document' }
    expect(getRequests('/passkey/start/')[0]).toMatchObject(opening)
    await expectNoViolations(opened, 'the page that makes a passkey', 'host')
    await press(opened, 'Create passkey')
    await expect(heading(host, 'Passkey added')).toBeVisible()
    const { user } = await linked()
    await host.dialogCloses()

    await page.evaluate(() => latchkey.logout())
    const loggedIn = await begin(page, 'login')
    await button(host, 'I have a passkey').click()
    const again = isCutOff
      ? await openWindow(host, context, device, isCutOff)
      : await cancelLogins(host, context, device)
    await expectNoViolations(again.opened, 'the page that asks a passkey', 'host')
    await press(again.opened, 'Use passkey')
    await expect(heading(host, 'Success')).toBeVisible()
    expect(await loggedIn()).toMatchObject({
      user: { user: { id: user?.id }, isNewUser: false, loginMethod: 'passkey' },
    })
    await host.dialogCloses()
  })
}

/**
 * Cancels a request in the window, on the card and on the device. Each shows an error and allows another try. Returns
 * the window of the last try.
 */
async function cancelLogins(host: HostPage, context: BrowserContext, device: Device) {
  const cancelled = 'Passkey request timed out or rejected by user.'
  const { opened } = await openWindow(host, context, device)
  await press(opened, 'Cancel')
  await expect(opened.getByRole('heading', { name: 'Canceled' })).toBeVisible()
  await expect(host.dialog.getByText(cancelled)).toBeVisible()

  await button(host, 'Retry').click()
  const second = await openWindow(host, context, device)
  await button(host, 'Cancel').click()
  await expect(host.dialog.getByText(cancelled)).toBeVisible()
  await press(second.opened, 'Use passkey')
  await expect(second.opened.getByRole('heading', { name: 'There is no such request' })).toBeVisible()
  await second.opened.close()

  await button(host, 'Retry').click()
  const third = await openWindow(host, context, device)
  await third.device.setVerifiesUser(false)
  await press(third.opened, 'Use passkey')
  await expect(third.opened.getByText(cancelled)).toBeVisible()
  await third.device.setVerifiesUser(true)
  return third
}

/**
 * Like Safari and older Firefox: the browser reports no permissions policy, and rejects passkeys in frames
 * without a prompt.
 */
const refuseFrames = () => {
  if (self === top) return
  for (const name of ['permissionsPolicy', 'featurePolicy']) {
    Object.defineProperty(document, name, { value: undefined })
  }
  const refuse = () => Promise.reject(new DOMException('Not in a frame', 'NotAllowedError'))
  Object.assign(navigator.credentials, { get: refuse, create: refuse })
}

test('a browser that reports no policy and only rejects also gets the window', async ({
  host,
  inbox,
  page,
  context,
}) => {
  await page.addInitScript(refuseFrames)
  await host.openOneLine()
  await logInByEmail({ page, host, inbox })
  const device = await addPasskey(host, context)
  await page.evaluate(() => latchkey.logout())
  const loggedIn = await begin(page, 'login')
  await button(host, 'I have a passkey').click()
  const { opened } = await openWindow(host, context, device)
  await press(opened, 'Use passkey')
  expect(await loggedIn()).toMatchObject({ user: { loginMethod: 'passkey' } })
})

test('the button on the card reopens a window that was closed or reloaded', async ({
  host,
  inbox,
  page,
  context,
}) => {
  await host.openOneLine(blocking)
  await logInByEmail({ page, host, inbox })
  const linked = await begin(page, 'linkPasskey')
  await button(host, 'Add new passkey').click()
  const { opened } = await openWindow(host, context)
  await opened.reload()
  await expect(opened.getByRole('button', { name: 'Create passkey' })).toBeVisible()
  await opened.close()
  const again = button(host, 'Open again')
  const [another] = await Promise.all([context.waitForEvent('page'), again.click()])
  await addDevice(another)
  await press(another, 'Create passkey')
  await expect(heading(host, 'Passkey added')).toBeVisible()
  expect((await linked()).code).toBeUndefined()
})

test('a second factor is added and verifies in a window', async ({ host, inbox, page, context }) => {
  await host.openOneLine(blocking)
  await logInByEmail({ page, host, inbox })
  const enrollment = await begin(page, 'enrollMfa', 'passkey')
  await button(host, 'Add a new passkey').click()
  const { opened, device } = await openWindow(host, context)
  await press(opened, 'Create passkey')
  await expect(heading(host, 'Passkey verification added')).toBeVisible()
  await button(host, 'Done').click()
  expect(await enrollment()).toMatchObject({ user: { mfaMethods: ['passkey'] } })
  await host.dialogCloses()

  const signed = await begin(page, 'signMessage', 'I agree.')
  await host.approve()
  const window = await openWindow(host, context, device)
  await press(window.opened, 'Use passkey')
  expect(await signed()).toMatchObject({ user: { signature: expect.stringMatching(/^0x[0-9a-f]{130}$/) } })
})

test('the passkey page renders each state accessibly', async ({ page, context, stack }) => {
  const path = `/apps/${appId}/passkey/${'h'.repeat(48)}`
  await test.step('is not answered to an address that is typed, nor to another site', async () => {
    expect((await page.goto(stack.dialogOrigin + path))?.status()).toBe(403)
    await page.goto(stack.hostOrigin)
    const [followed] = await Promise.all([
      context.waitForEvent('page'),
      page.evaluate((address) => void window.open(address), stack.dialogOrigin + path),
    ])
    await expect(followed.getByText('invalid_origin')).toBeVisible()
  })
  await test.step('is not answered to a frame', async () => {
    const answered = page.waitForResponse((answer) => answer.url().endsWith(path))
    await page.evaluate((address) => {
      const frame = document.createElement('iframe')
      frame.src = address
      document.body.append(frame)
    }, stack.dialogOrigin + path)
    expect((await answered).status()).toBe(403)
  })
  await test.step('says of a name that nobody gave that there is nothing', async () => {
    await page.goto(`${stack.dialogOrigin}/apps/${appId}/dialog`)
    const [opened] = await Promise.all([
      context.waitForEvent('page'),
      page.evaluate((address) => void window.open(address), path),
    ])
    await expect(opened.getByRole('heading', { name: 'There is no such request' })).toBeVisible({
      timeout: 45_000,
    })
    await expectNoViolations(opened, 'No such request', 'host')
  })
})
