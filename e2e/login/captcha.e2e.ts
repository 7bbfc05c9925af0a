import { openPhone } from '@latchkey/sandbox'
import { expectNoViolations } from '../pages/axe.ts'
import { PhoneEntry } from '../pages/phone-entry.ts'
import { setFaults } from '../stack/faults.ts'
import { appId } from '../stack/stack.ts'
import { test as base, expect } from '../test.ts'

const title = 'Checking that you are human'
const notPassed = 'You did not pass CAPTCHA. Please try again.'

const widget = 'iframe[title*="Cloudflare"]'
const noFaults = { turnstile: 'none', turnstileWidget: 'none' }

const test = base.extend<{ violations: string[] }>({
  /** Content security policy violations on the page. */
  violations: [
    async ({ page }, use) => {
      const seen: string[] = []
      page.on('console', (message) => {
        if (/Content Security Policy|Trusted ?Type/i.test(message.text())) seen.push(message.text())
      })
      await use(seen)
    },
    { auto: true },
  ],
})

const siteKey = 't:0x4AAAAAAAsite'
test.use({ settings: [`captcha_site_key=${siteKey}`, 'captcha_enabled=true'] })
test.afterEach(({ stack }) => setFaults(stack, noFaults))

/** Submits the address and waits for the captcha. */
const choose = async (host: Parameters<Parameters<typeof test>[2]>[0]['host'], address: string) => {
  await expect(async () => {
    await host.open()
    await host.openLogin()
  }).toPass()
  await host.emailField.fill(address)
  await host.emailField.press('Enter')
}

// spec L2.25, L4.13, L7.28
test('a captcha that passes automatically continues to the code and logs in', async ({
  host,
  inbox,
  page,
  stack,
  violations,
}) => {
  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  const ofTurnstile = () => requests.filter((url) => url.startsWith(stack.visitedSandboxUrl))
  await host.open()
  await host.openLogin()
  expect(ofTurnstile()).toEqual([])
  await host.emailField.fill(inbox.address)
  await host.emailField.press('Enter')
  await expect(host.dialog.getByRole('heading', { name: title })).toBeVisible()
  await expect(host.dialog.getByRole('heading', { name: 'Success' })).toBeVisible()
  await expect(host.codeFields).toHaveCount(6)
  expect(ofTurnstile().some((url) => url.endsWith('/turnstile/v0/api.js?render=explicit'))).toBe(true)
  await expect(host.codeFields.first()).toBeFocused()
  await host.typeCode(await inbox.nextCode())
  await expect(host.byTestId('user-email')).toHaveText(inbox.address)
  await host.dialogCloses()
  expect(violations).toEqual([])
})

// spec L8.3, W4.33, W8.35
test('a failing captcha may be retried three times, and then shows possible causes', async ({
  host,
  inbox,
  page,
  stack,
}) => {
  await setFaults(stack, { turnstileWidget: 'fails' })
  await choose(host, inbox.address)
  const again = host.dialog.getByRole('button', { name: 'Try again' })
  for (let retry = 0; retry < 3; retry += 1) {
    await expect(host.dialog.getByText(notPassed)).toBeVisible()
    await again.click()
    await expect(again).toHaveCount(0)
  }
  await expect(
    host.dialog.getByText('If you use an adblocker or VPN, try disabling and re-attempting.'),
  ).toBeVisible()
  await expect(again).toHaveCount(0)
  await expectNoViolations(page, 'retries used up')
  expect(await inbox.count()).toBe(0)
  await host.dialog.getByRole('button', { name: 'Go back' }).click()
  await expect(host.emailField).toHaveValue(inbox.address)
})

test('a retry after a blocked script is interactive, is ticked, and passes', async ({
  host,
  inbox,
  stack,
}) => {
  await setFaults(stack, { turnstileWidget: 'blocked' })
  await choose(host, inbox.address)
  await expect(host.dialog.getByText(notPassed)).toBeVisible()
  await setFaults(stack, { turnstileWidget: 'interactive' })
  await host.dialog.getByRole('button', { name: 'Try again' }).click()
  const human = host.dialog.frameLocator(widget).getByRole('checkbox', { name: 'Verify you are human' })
  await expect(host.dialog.getByText('Tick the box below to continue.')).toBeVisible()
  await human.check()
  await expect(host.codeFields).toHaveCount(6)
})

// spec L8.1
test('a token that the server rejects shows an error, and the next captcha is new', async ({
  host,
  inbox,
  stack,
}) => {
  await setFaults(stack, { turnstile: 'spent' })
  await choose(host, inbox.address)
  await expect(host.dialog.getByText('Something went wrong')).toBeVisible()
  await expect(host.dialog.getByText('Please try again.')).toBeVisible()
  expect(await inbox.count()).toBe(0)
  await setFaults(stack, noFaults)
  await host.dialog.getByRole('button', { name: 'Try again' }).click()
  await host.emailField.press('Enter')
  await expect(host.dialog.getByRole('heading', { name: title })).toBeVisible()
  await expect(host.codeFields).toHaveCount(6)
  await host.typeCode(await inbox.nextCode())
  await expect(host.byTestId('user-email')).toHaveText(inbox.address)
})

// spec L4.16
test('an app without a captcha loads none and does not allow it in its policy', async ({
  host,
  inbox,
  page,
  stack,
}) => {
  await stack.app('set', appId, 'captcha_enabled=false', 'captcha_site_key=null')
  const getPolicy = async () => {
    const address = `/apps/${appId}/dialog?origin=${encodeURIComponent(stack.hostOrigin)}`
    const answer = await page.request.get(stack.dialogOrigin + address)
    return answer.headers()['content-security-policy'] ?? ''
  }
  await expect.poll(getPolicy).toContain("trusted-types 'none'")
  expect(await getPolicy()).not.toContain(stack.visitedSandboxUrl)
  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  await host.open()
  await host.logIn(inbox)
  expect(requests.filter((url) => /captcha|turnstile/.test(url))).toEqual([])
})

test('a host page enables the captcha of an app that has only the key (spec W3.13)', async ({
  host,
  inbox,
  page,
  stack,
  violations,
}) => {
  await stack.app('set', appId, 'captcha_enabled=false')
  await host.openOneLine()
  await page.evaluate('void latchkey.setConfig({ captchaEnabled: true })')
  await page.evaluate('void latchkey.login().catch(() => {})')
  await host.emailField.fill(inbox.address)
  await host.emailField.press('Enter')
  await expect(host.dialog.getByRole('heading', { name: title })).toBeVisible()
  await expect(host.codeFields.first()).toBeFocused()
  await host.typeCode(await inbox.nextCode())
  await host.dialogCloses()
  expect(violations).toEqual([])
})

// spec L4.14
test('a logged-in user links a number without a captcha', async ({ host, inbox, page, stack }) => {
  await stack.app('set', appId, 'sms_auth=true')
  const phone = openPhone(stack.sandboxUrl)
  const entry = new PhoneEntry(host)
  await host.openOneLine()
  await page.evaluate('void latchkey.login().catch(() => {})')
  await host.askForCode(inbox.address)
  await host.typeCode(await inbox.nextCode())
  await host.dialogCloses()
  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  await page.evaluate('void latchkey.linkPhone().catch(() => {})')
  await entry.askForCode(phone.address.slice('+1'.length))
  await host.typeCode(await phone.nextCode())
  await host.dialogCloses()
  expect(requests.filter((url) => url.includes('/turnstile/'))).toEqual([])
  expect(requests.some((url) => url.endsWith('/passwordless_sms/link'))).toBe(true)
})
