import type { Page } from '@playwright/test'
import { holdCalls } from '../stack/faults.ts'
import { expect, test } from '../test.ts'

const getFrame = (page: Page, origin: string) => {
  const frame = page.frames().find((candidate) => candidate.url().startsWith(origin))
  if (!frame) throw new Error(`No frame from ${origin}`)
  return frame
}

test('an open dialog that reloads rejects the call with a code, and the next login works', async ({
  host,
  inbox,
  page,
  stack,
}) => {
  await host.open()
  await host.openLogin()
  await getFrame(page, stack.dialogOrigin).evaluate(() => location.reload())
  await expect(host.byTestId('event-log')).toContainText('frame_reloaded')
  await host.dialogCloses()
  await host.logIn(inbox)
})

test('a dialog that reloads while it requests a code leaves one session, and the next login works', async ({
  host,
  inbox,
  page,
  context,
  stack,
}) => {
  const heldCalls = await holdCalls(context, /passwordless\/authenticate/)
  await host.open()
  await host.enterCode(inbox)
  await heldCalls.arrived
  await getFrame(page, stack.dialogOrigin).evaluate(() => location.reload())
  heldCalls.release()
  await host.dialogCloses()
  await context.unroute(/passwordless\/authenticate/)
  // The response may arrive just before the document unloads. Then its session exists, and only one.
  const button = host.byTestId('login').or(host.byTestId('logout')).filter({ visible: true })
  await expect(button.first()).toBeVisible()
  if (await host.byTestId('login').isVisible()) await host.logIn(inbox)
  await expect(host.byTestId('user-email')).toHaveText(inbox.address)
})

test('a wallet frame that reloads during a creation still creates the wallet', async ({
  host,
  inbox,
  page,
  context,
  stack,
}) => {
  const heldCalls = await holdCalls(context, /wallets\/commit/)
  await host.open()
  await host.enterCode(inbox)
  await heldCalls.arrived
  await getFrame(page, stack.walletOrigin).evaluate(() => location.reload())
  heldCalls.release()
  await expect(host.byTestId('user-email')).toHaveText(inbox.address)
  await host.walletAddress()
  await host.dialogCloses()
  await host.sign('After the reload')
})

test.describe('a user with a wallet', () => {
  test.use({ isLoggedIn: true })

  test('a wallet frame that reloads during a signature signs once or rejects with a code', async ({
    host,
    page,
    context,
    stack,
  }) => {
    const heldCalls = await holdCalls(context, /wallets\/shares/)
    await host.open()
    await host.walletAddress()
    await host.byTestId('sign-input').fill('Reloaded')
    await host.byTestId('sign').click()
    await host.approve()
    await heldCalls.arrived
    await getFrame(page, stack.walletOrigin).evaluate(() => location.reload())
    heldCalls.release()
    await expect(host.byTestId('signature')).toHaveAttribute('data-signature', /^0x[0-9a-f]{130}$/, {
      timeout: 45_000,
    })
  })
})

test('a host page that reloads with the dialog open comes back without it', async ({ host, page }) => {
  await host.open()
  await host.openLogin()
  await page.reload()
  await host.dialogCloses()
  await host.openLogin()
})

test('a dialog script that does not load fails the call with a code, and the next call loads it', async ({
  host,
  inbox,
  context,
}) => {
  await context.route(/assets\/shell-.*\.js/, (route) => route.abort())
  await host.open()
  await host.byTestId('login').click()
  await expect(host.byTestId('event-log')).toContainText('server_unreachable')
  await host.dialogCloses()
  await context.unroute(/assets\/shell-.*\.js/)
  await host.logIn(inbox)
})
