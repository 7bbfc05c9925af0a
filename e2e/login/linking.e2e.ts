import { openInbox, openPhone } from '@latchkey/sandbox'
import { expectNoViolations } from '../pages/axe.ts'
import { beginCall } from '../pages/page-calls.ts'
import { PhoneEntry } from '../pages/phone-entry.ts'
import { test as base, expect } from '../test.ts'

type CallResult = { user?: unknown; code?: string }
const begin = beginCall<CallResult>

const test = base.extend<{ entry: PhoneEntry }>({
  entry: async ({ host }, use) => use(new PhoneEntry(host)),
})
test.use({ settings: ['sms_auth=true'] })
test.beforeEach(async ({ host, inbox, page }) => {
  await host.openOneLine()
  await page.evaluate(() => void latchkey.login().catch(() => {}))
  await host.askForCode(inbox.address)
  await host.typeCode(await inbox.nextCode())
  await host.dialogCloses()
})

// spec L2.49, L7.12, L5.16
test('a host page links a number, and only the user can unlink it', async ({ entry, host, page, stack }) => {
  const phone = openPhone(stack.sandboxUrl)
  const number = `+1 ${phone.address.slice('+1'.length)}`
  const linked = await begin(page, 'linkPhone')
  await expect(host.dialog.getByRole('heading', { name: 'Link your phone number' })).toBeVisible()
  await expectNoViolations(page, 'linking a number')
  await entry.askForCode(phone.address.slice('+1'.length))
  await host.typeCode(await phone.nextCode())
  expect(await linked()).toMatchObject({ user: { phone: { number } } })
  await host.dialogCloses()

  expect(await (await begin(page, 'linkPhone'))()).toEqual({ code: 'cannot_link_more_of_type' })

  const result = await begin(page, 'unlinkPhone', number)
  await expectNoViolations(page, 'unlinking')
  await host.dialog.getByRole('button', { name: 'Keep it' }).click()
  expect(await result()).toEqual({ code: 'exited_link_flow' })
  await host.dialogCloses()

  const unlinked = await begin(page, 'unlinkPhone', number)
  await host.dialog.getByRole('button', { name: 'Unlink' }).click()
  expect(JSON.stringify(await unlinked())).not.toContain(number)
  await host.dialogCloses()
})

// spec L2.51
test('an e-mail address changes to a verified one, which logs in from then on', async ({
  host,
  inbox,
  page,
  stack,
}) => {
  const next = openInbox(stack.sandboxUrl)
  const changed = await begin(page, 'updateEmail')
  await expect(host.dialog.getByText(inbox.address)).toBeVisible()
  await host.askForCode(next.address)
  await host.typeCode(await next.nextCode())
  expect(await changed()).toMatchObject({ user: { email: { address: next.address } } })
  await host.dialogCloses()
  const getUserId = () => page.evaluate(async () => (await latchkey.getUser())?.id)
  const id = await getUserId()
  await page.evaluate(() => latchkey.logout())
  await page.evaluate(() => void latchkey.login().catch(() => {}))
  await host.askForCode(next.address)
  await host.typeCode(await next.nextCode())
  await host.dialogCloses()
  expect(await getUserId()).toBe(id)
})

test('the last account cannot be unlinked, and the user sees why', async ({ host, inbox, page }) => {
  const unlinked = await begin(page, 'unlinkEmail', inbox.address)
  await host.dialog.getByRole('button', { name: 'Unlink' }).click()
  await expect(host.dialog.getByText('This is the only way to log in to your account.')).toBeVisible()
  await host.escape()
  expect(await unlinked()).toEqual({ code: 'cannot_unlink_sole_account' })
})

test('a logged-out visitor cannot link an account', async ({ page }) => {
  await page.evaluate(() => latchkey.logout())
  expect(await (await begin(page, 'linkPhone'))()).toEqual({ code: 'must_be_authenticated' })
})
