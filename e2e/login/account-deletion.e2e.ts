/** Account deletion: what the user is shown, what is deleted, and a new sign-up afterwards. */

import type { Inbox } from '@latchkey/sandbox'
import type { Page } from '@playwright/test'
import { expectNoViolations } from '../pages/axe.ts'
import { confirm, toPage } from '../pages/confirm-page.ts'
import { openWindow } from '../pages/login-window.ts'
import { pressGated } from '../pages/pointer.ts'
import { appId, type Stack } from '../stack/stack.ts'
import { expect, openDevice, test } from '../test.ts'

// Three logins and two wallets take longer than other tests.
test.slow()

test.use({ settings: ['embedded_wallet_config.create_on_login=all-users'] })

const button = (page: Page, name: string) => page.getByRole('button', { name })
const heading = (page: Page, name: string) => page.getByRole('heading', { name })
const emailField = (page: Page) => page.getByRole('textbox', { name: /e-?mail/i })

async function logIn(page: Page, { dialogOrigin }: Stack, inbox: Inbox) {
  await page.goto(`${dialogOrigin}/apps/${appId}/dialog`)
  await emailField(page).fill(inbox.address)
  await emailField(page).press('Enter')
  await expect(page.getByRole('group', { name: /code/i }).getByRole('textbox')).toHaveCount(6)
  await page.keyboard.type(await inbox.nextCode())
  await expect(button(page, 'Log out')).toBeVisible()
}

/** Returns the wallet address that the account page shows. */
const getWalletAddress = async (page: Page) => {
  const address = page.getByText(/^0x[0-9a-fA-F]+/)
  await expect(address).toBeVisible()
  return address.textContent()
}

async function approve(page: Page) {
  const confirmation = await openWindow(page.context(), toPage(page))
  await confirm(confirmation, 'Delete my account')
}

test('deleting an account leaves nothing behind, and a new sign-up is another user', async ({
  browser,
  page,
  stack,
  inbox,
}) => {
  await logIn(page, stack, inbox)
  const lost = await getWalletAddress(page)
  const context = await openDevice(browser)
  const elsewhere = await context.newPage()
  await logIn(elsewhere, stack, inbox)

  await button(page, 'Delete account').click()
  await expect(heading(page, 'Delete your account?')).toBeVisible()
  await expect(page.getByText('Your wallet and everything in it will be lost forever')).toBeVisible()
  await expectNoViolations(page, 'what is lost with an account')
  await button(page, 'Continue').click()
  await expect(page.getByText('That does not match.')).toBeVisible()
  await page.getByRole('textbox').fill(inbox.address)
  await button(page, 'Continue').click()
  await expect(heading(page, 'Delete it forever?')).toBeVisible()
  await expectNoViolations(page, 'the approval of a deletion')
  await approve(page)
  await expect(heading(page, 'Your account is deleted')).toBeVisible()
  await expectNoViolations(page, 'a deleted account')
  expect((await inbox.nextMail()).subject).toBe('Your Fieldnotes account was deleted')
  await button(page, 'Done').click()
  await expect(emailField(page)).toBeVisible()

  const refused = elsewhere.waitForResponse(
    (response) => response.url().endsWith('/api/v1/sessions') && response.status() === 401,
  )
  await elsewhere.reload()
  await refused
  await expect(emailField(elsewhere)).toBeVisible()
  await context.close()

  await logIn(page, stack, inbox)
  expect(await getWalletAddress(page)).not.toBe(lost)
})

test('a browser that cannot detect covers deletes the account on a separate page', async ({
  context,
  page,
  stack,
  inbox,
}) => {
  await context.addInitScript(() => {
    Reflect.deleteProperty(IntersectionObserverEntry.prototype, 'isVisible')
  })
  await logIn(page, stack, inbox)
  const lost = await getWalletAddress(page)
  await button(page, 'Delete account').click()
  await page.getByRole('textbox').fill(inbox.address)
  await button(page, 'Continue').click()
  await expect(page.locator('button[data-gate]')).toHaveCount(0)
  const openPage = async () => {
    const confirmationPage = await openWindow(context, toPage(page))
    return confirmationPage
  }
  const refused = await openPage()
  await button(refused, 'Refuse').click()
  await expect(heading(refused, 'Refused')).toBeVisible()
  // The account still exists, and the confirmation starts again.
  await button(page, 'Delete account').click()
  await page.getByRole('textbox').fill(inbox.address)
  await button(page, 'Continue').click()
  const confirmation = await openPage()
  await expect(heading(confirmation, 'Delete your account?')).toBeVisible()
  // The page shows the address in full.
  const [start = '', end = ''] = lost?.split('…') ?? []
  const address = new RegExp(`^${start}[0-9a-fA-F]{32}${end}$`)
  for (const text of [
    inbox.address,
    address,
    'The wallet of this account and everything in it are lost forever',
  ]) {
    await expect(confirmation.getByText(text).first()).toBeVisible()
  }
  await expectNoViolations(confirmation, 'the page of a deletion', 'host')
  await pressGated(confirmation.locator('button[data-gate]'))
  await expect(heading(page, 'Your account is deleted')).toBeVisible()
})
