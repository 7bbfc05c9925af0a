/**
 * A recently added login method: it logs in, but opens no wallet on a new device, and the notification mail
 * can revoke it.
 */
import { expectNoViolations } from '../pages/axe.ts'
import type { HostPage } from '../pages/host-page.ts'
import { beginCall } from '../pages/page-calls.ts'
import { installWallet, type TestWallet } from '../pages/wallet.ts'
import { changeDatabase } from '../stack/database.ts'
import { test as base, expect } from '../test.ts'

type CallResult = {
  user?: { linkedAccounts?: readonly { address?: string }[] }
  code?: string
}
const begin = beginCall<CallResult>

const test = base.extend<{ wallet: TestWallet }>({
  wallet: [
    async ({ page }, use) => use(await installWallet(page, { name: 'MetaMask', rdns: 'io.metamask' })),
    { auto: true },
  ],
})
test.describe.configure({ timeout: 120_000 })
test.use({ settings: ['wallet_auth=true'] })

const chooseWallet = (host: HostPage) => host.dialog.getByRole('button', { name: /^MetaMask/ }).click()
const mailAbout = (subject: string, inbox: { nextMail: () => Promise<{ subject: string; text: string }> }) =>
  expect.poll(async () => (await inbox.nextMail()).subject).toContain(subject)

test('a recently linked wallet opens nothing on a new device, and the mail revokes it', async ({
  host,
  inbox,
  page,
  stack,
  wallet,
  context,
}) => {
  await host.openOneLine()
  await begin(page, 'login')
  await host.askForCode(inbox.address)
  await host.typeCode(await inbox.nextCode())
  await host.dialogCloses()
  const linked = await begin(page, 'linkWallet')
  await chooseWallet(host)
  await host.dialogCloses()
  expect((await linked()).user?.linkedAccounts?.map(({ address }) => address)).toContain(wallet.address)
  const { subject, text } = await inbox.nextMail()
  expect(subject).toMatch(/^A way to log in was added to your /)
  const [link = ''] = /https:\/\/\S+\/take-back\/[\w-]+/.exec(text) ?? []

  /** Another site has its own storage partition. */
  const arriveByWallet = async () => {
    await host.open('/one-line.html', stack.otherHostOrigin)
    await page.waitForFunction('window.latchkey')
    await begin(page, 'login')
    await host.dialog.getByRole('button', { name: 'Continue with a wallet' }).click()
    await chooseWallet(host)
    await host.dialogCloses()
  }
  await arriveByWallet()
  const refused = await begin(page, 'signMessage', 'hello')
  await expect(host.dialog.getByRole('heading', { name: 'Not with this login yet' })).toBeVisible()
  await expect(host.dialog.getByText(/^It counts as new until .+\.$/)).toBeVisible()
  await expectNoViolations(page, 'a login that is too new')
  await host.dialog.getByRole('button', { name: 'Log in with another method' }).click()
  await expect(host.dialog.getByRole('heading', { name: 'Log in with another method' })).toBeVisible()
  await host.escape()
  expect((await refused()).code).toBeDefined()

  // Age the login method by three days.
  await page.evaluate(() => latchkey.logout())
  const aged =
    'update linked_accounts set first_verified_at = first_verified_at - 259200 where identifier = ?'
  expect(changeDatabase(stack.databaseFile, aged, wallet.address.toLowerCase())).toBe(1)
  await arriveByWallet()
  await begin(page, 'signMessage', 'hello')
  await host.approveButton.waitFor()
  await mailAbout('Your wallet was recovered on a new device in ', inbox)

  const mail = await context.newPage()
  await mail.goto(link)
  await expect(mail.getByRole('heading', { name: 'Was this not you?' })).toBeVisible()
  await expect(mail.getByText(wallet.address)).toBeVisible()
  await expectNoViolations(mail, 'the page that takes a change back', 'host')
  await mail.getByRole('button', { name: 'Undo the change' }).click()
  await expect(mail.getByRole('heading', { name: 'The change was undone' })).toBeVisible()
  await page.reload()
  await page.waitForFunction('window.latchkey')
  await expect.poll(() => page.evaluate(async () => (await latchkey.getUser()) ?? null)).toBeNull()
})

test('a login too new for the wallet is followed by an older one in the same card', async ({
  host,
  inbox,
  page,
  stack,
}) => {
  await host.openOneLine()
  await begin(page, 'login')
  await host.askForCode(inbox.address)
  await host.typeCode(await inbox.nextCode())
  await host.dialogCloses()
  await begin(page, 'linkWallet')
  await chooseWallet(host)
  await host.dialogCloses()
  await inbox.nextMail()

  await host.open('/one-line.html', stack.otherHostOrigin)
  await page.waitForFunction('window.latchkey')
  await begin(page, 'login')
  await host.dialog.getByRole('button', { name: 'Continue with a wallet' }).click()
  await chooseWallet(host)
  await host.dialogCloses()
  await begin(page, 'signMessage', 'hello')
  await host.dialog.getByRole('button', { name: 'Log in with another method' }).click()
  await host.askForCode(inbox.address)
  await host.typeCode(await inbox.nextCode())
  await host.approveButton.waitFor()
  await mailAbout('Your wallet was recovered on a new device in ', inbox)
})

test('a user without an e-mail address confirms a new device at the next login', async ({
  host,
  page,
  stack,
}) => {
  const arriveByWallet = async (origin?: string) => {
    if (origin === undefined) await host.openOneLine()
    else await host.open('/one-line.html', origin)
    await page.waitForFunction('window.latchkey')
    const login = await begin(page, 'login')
    await host.dialog.getByRole('button', { name: 'Continue with a wallet' }).click()
    await chooseWallet(host)
    return login
  }
  await arriveByWallet()
  await host.dialogCloses()
  // A user who logs in with a wallet gets no embedded wallet at login.
  expect((await (await begin(page, 'createWallet'))()).code).toBeUndefined()
  await host.dialogCloses()
  // Their wallet is recovered silently in another storage partition.
  await arriveByWallet(stack.otherHostOrigin)
  await host.dialogCloses()
  await begin(page, 'signMessage', 'hello')
  await host.approveButton.waitFor()
  // The card appears before the wallet.
  const countNotices = () => changeDatabase(stack.databaseFile, 'update login_notices set id = id')
  await expect.poll(countNotices).toBe(1)
  await host.escape()
  await page.evaluate(() => latchkey.logout())

  const login = await arriveByWallet(stack.otherHostOrigin)
  await expect(host.dialog.getByRole('heading', { name: 'Was this you?' })).toBeVisible()
  // The login did not wait for the answer.
  expect((await login()).user).toBeDefined()
  await expect(host.dialog.getByText(/^Your wallet was opened on a new device on .+\.$/)).toBeVisible()
  await expectNoViolations(page, 'a notice after a login')
  await host.dialog.getByRole('button', { name: 'It was not me: log out everywhere' }).click()
  await expect(host.dialog.getByRole('heading', { name: 'You are logged out everywhere' })).toBeVisible()
  await host.dialog.getByRole('button', { name: 'Close', exact: true }).last().click()
  await host.dialogCloses()
  expect(await page.evaluate(async () => (await latchkey.getUser()) ?? null)).toBeNull()

  await arriveByWallet(stack.otherHostOrigin)
  await host.dialogCloses()
})
