/** Changes of the recovery method that are interrupted by a closed tab or a concurrent change. */

import type { Inbox } from '@latchkey/sandbox'
import type { Browser, Page } from '@playwright/test'
import { arrive, onAnotherSite } from '../pages/another-site.ts'
import { HostPage } from '../pages/host-page.ts'
import { beginCall } from '../pages/page-calls.ts'
import { addDevice } from '../pages/passkey-device.ts'
import { pressGated } from '../pages/pointer.ts'
import {
  choosePassword,
  enterPassword,
  openWindow,
  passwordIsSet,
  recoverWith,
  setButton,
} from '../pages/recovery-window.ts'
import { holdCalls } from '../stack/faults.ts'
import type { Stack } from '../stack/stack.ts'
import { expect, openDevice, test } from '../test.ts'

type Ended = { user?: { recoveryMethod?: string }; code?: string }
const begin = beginCall<Ended>
const setting = 'embedded_wallet_config.user_owned_recovery_options'
const [first, second] = ['harbor-Violin-meadow-42', 'lantern-Cedar-orbit-17']

// Logs in on several devices.
test.describe.configure({ timeout: 150_000 })
test.use({ settings: [`${setting}=["passkey","user-passcode"]`] })

/** Goes to the last step of setting a password. */
async function askToSet(host: HostPage, password: string, isAnother = false) {
  const set = await begin(host.page, 'setWalletRecovery')
  await host.shown
    .getByRole('button', { name: isAnother ? 'Reset password In use' : 'Set password', exact: true })
    .click()
  const window = await openWindow(host, isAnother ? 'Set a new password' : 'Continue')
  await choosePassword(window, password)
  return { set, window }
}

/** Presses the last button, and waits until the password is set. */
async function commitPassword(host: HostPage, window: Page) {
  await pressGated(setButton(window))
  await passwordIsSet(host)
}

async function leave(host: HostPage, set: () => Promise<Ended>) {
  expect(await set()).toMatchObject({ user: { recoveryMethod: 'user-passcode' } })
  await host.shown.getByRole('button', { name: 'All done' }).click()
  await host.dialogCloses()
}

async function setPassword(host: HostPage, password: string, isAnother = false) {
  const { set, window } = await askToSet(host, password, isAnother)
  await commitPassword(host, window)
  await leave(host, set)
}

/** Checks that the wallet signs with nothing but an approval. */
async function signs(host: HostPage) {
  const signed = await begin(host.page, 'signMessage', 'hello')
  await host.approveButton.waitFor()
  await host.escape()
  expect(await signed()).toEqual({ code: 'user_rejected_request' })
  await host.dialogCloses()
}

async function opensWith(host: HostPage, password: string, wrong?: string) {
  await begin(host.page, 'signMessage', 'hello')
  const window = await recoverWith(host, wrong ?? password)
  if (wrong !== undefined) {
    await expect(window.getByText('Invalid recovery password, please try again.')).toBeVisible()
    await enterPassword(window, password)
  }
  await host.approveButton.waitFor()
}

/** Runs on a device that never had the wallet. */
async function onAnotherDevice(
  browser: Browser,
  stack: Stack,
  inbox: Inbox,
  act: (there: HostPage) => Promise<void>,
) {
  const device = await openDevice(browser)
  await act(await arrive(await device.newPage(), stack, inbox))
  await device.close()
}

/** Presses the last button. The tab closes when this request is sent, or when the server has completed it. */
async function dieAt({ page }: HostPage, window: Page, step: 'begin' | 'commit', when: 'asked' | 'done') {
  const statuses: number[] = []
  await page.route(new RegExp(`/wallets/reshare/${step}$`), async (route) => {
    if (when === 'done') statuses.push((await route.fetch()).status())
    // A browser sends held requests when the tab closes.
    await route.abort()
    await page.close()
  })
  const died = page.waitForEvent('close')
  await pressGated(setButton(window))
  await died
  expect(statuses).toEqual(when === 'done' ? [200] : [])
}

test('a tab that closes before the server commits leaves the wallet unchanged, and the next attempt works', async ({
  browser,
  context,
  inbox,
  page,
  stack,
}) => {
  let host = await arrive(page, stack, inbox)
  // At first nothing has started; then all new shares are stored beside the old ones.
  for (const step of ['begin', 'commit'] as const) {
    const { window } = await askToSet(host, second)
    await dieAt(host, window, step, 'asked')
    await expect(window.getByRole('heading', { name: 'The app that asked is gone' })).toBeVisible()
    await window.close()
    host = new HostPage(await context.newPage(), stack)
    await host.openOneLine()
    await signs(host)
  }
  await onAnotherDevice(browser, stack, inbox, signs)
  await setPassword(host, first)
  await onAnotherDevice(browser, stack, inbox, (there) => opensWith(there, first))
})

test('a tab that closes after the commit leaves only the new password, and the device signs', async ({
  browser,
  context,
  inbox,
  page,
  stack,
}) => {
  const dying = await arrive(page, stack, inbox)
  await setPassword(dying, first)
  const { window } = await askToSet(dying, second, true)
  await dieAt(dying, window, 'commit', 'done')

  const next = new HostPage(await context.newPage(), stack)
  await next.openOneLine()
  await signs(next)
  await onAnotherDevice(browser, stack, inbox, (there) => opensWith(there, second, first))
})

const elsewhere = 'Recovery was changed on another page at the same time. Please try again.'

/** Creates a passkey that is about to be set for the wallet. */
async function askToSetPasskey(host: HostPage) {
  const set = await begin(host.page, 'setWalletRecovery')
  await host.shown.getByRole('button', { name: 'Passkey', exact: true }).click()
  const window = await openWindow(host)
  await addDevice(window, { prf: true })
  await makePasskey(window)
  return set
}

async function makePasskey(window: Page) {
  await window.getByRole('button', { name: 'Create passkey' }).click()
  await pressGated(window.getByRole('button', { name: 'Use this passkey' }))
}

/** Sets the passkey again, in another window. */
async function setPasskeyNow(host: HostPage) {
  const window = await openWindow(host)
  await addDevice(window, { prf: true })
  await makePasskey(window)
}

/** Held on a page that is not open yet: a loading frame would not receive it. */
const holdCommit = (page: Page) => holdCalls(page, /\/wallets\/reshare\/commit$/)

/**
 * The loser is about to commit when the winner presses its last button. The winner commits, and then the loser's
 * request is sent. It must not be held for longer than a call to the wallet frame may take.
 */
async function race(winner: HostPage, loser: HostPage, lost: Awaited<ReturnType<typeof holdCommit>>) {
  const won = await askToSet(winner, first)
  const set = await askToSetPasskey(loser)
  await lost.arrived
  await commitPassword(winner, won.window)
  lost.release()
  await expect(loser.shown.getByText(elsewhere)).toBeVisible()
  await leave(winner, won.set)
  return set
}

test('of two tabs that set another recovery at once, one wins and the other shows a conflict and retries', async ({
  context,
  inbox,
  page,
  stack,
}) => {
  const winner = await arrive(page, stack, inbox)
  const loser = new HostPage(await context.newPage(), stack)
  const lost = await holdCommit(loser.page)
  await loser.openOneLine()
  const set = await race(winner, loser, lost)
  await signs(winner)
  await setPasskeyNow(loser)
  await expect(loser.shown.getByRole('heading', { name: 'Your account is secured' })).toBeVisible({
    timeout: 45_000,
  })
  expect(await set()).toMatchObject({ user: { recoveryMethod: 'passkey' } })
  await signs(winner)
})

test("of two devices that set another recovery at once, the loser opens with the winner's method", async ({
  context,
  inbox,
  page,
  stack,
}) => {
  const winner = await arrive(page, stack, inbox)
  const there = await context.newPage()
  const lost = await holdCommit(there)
  const loser = await onAnotherSite(there, stack, inbox)
  // Gives this device its share, as on the other one.
  await signs(loser)
  const set = await race(winner, loser, lost)
  await signs(winner)
  await setPasskeyNow(loser)
  await recoverWith(loser, first)
  await expect(loser.shown.getByRole('heading', { name: 'Your account is secured' })).toBeVisible({
    timeout: 45_000,
  })
  expect(await set()).toMatchObject({ user: { recoveryMethod: 'passkey' } })
})
