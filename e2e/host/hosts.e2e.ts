import { appId } from '../stack/stack.ts'
import { expect, test } from '../test.ts'

test('an unlisted origin gets origin_not_allowed and no frame', async ({ host, stack }) => {
  await host.open('/', stack.strangerOrigin)
  await host.byTestId('login').click()
  await expect(host.byTestId('error-code')).toHaveText('origin_not_allowed')
})

test('a host policy that blocks the frame causes host_blocks_frame', async ({ host }) => {
  await host.open('/?csp=block')
  await host.byTestId('login').click()
  await expect(host.byTestId('error-code')).toHaveText('host_blocks_frame')
})

test('an unreachable server rejects with server_unreachable within the deadline', async ({
  host,
  context,
  stack,
}) => {
  await context.route(`${stack.dialogOrigin}/**`, (route) => route.abort('connectionrefused'))
  await host.open()
  await host.byTestId('login').click()
  await expect(host.byTestId('error-code')).toHaveText('server_unreachable')
})

test('a page that frames the host cannot show the dialog, because all ancestors are checked', async ({
  page,
  stack,
}) => {
  await page.goto(stack.strangerOrigin)
  const refused = page.waitForEvent('console', (message) => message.text().includes('frame-ancestors'))
  await page.evaluate(
    ([origin, id, hostOrigin]) => {
      const frame = document.createElement('iframe')
      frame.src = `${origin}/apps/${id}/dialog?origin=${encodeURIComponent(hostOrigin ?? '')}`
      document.body.append(frame)
    },
    [stack.dialogOrigin, appId, stack.hostOrigin],
  )
  // The outer page's policy allows the dialog's origin, so the dialog's own header refuses here.
  expect((await refused).text()).toContain('frame-ancestors')
})

for (const [name, path] of [
  ['COOP: same-origin', '/?coop=1'],
  ['cross-origin isolation', '/?coi=1'],
] as const) {
  test(`the path works on a host with ${name}`, async ({ host, inbox }) => {
    await host.open(path)
    await host.logIn(inbox)
    await host.walletAddress()
    await host.sign(`On a host with ${name}`)
  })
}

test('the one-line embed works', async ({ host, inbox, page }) => {
  await host.open('/one-line.html')
  await page.getByRole('button', { name: /log in/i }).click()
  await host.askForCode(inbox.address)
  await host.typeCode(await inbox.nextCode())
  await host.dialogCloses()
  await expect(page.getByText(inbox.address)).toBeVisible()
})

test('a dark dialog over a light host leaves the page behind it visible', async ({ host, page }) => {
  await host.open('/?dialog=dark')
  await host.byTestId('theme-light').click()
  await host.openLogin()
  const card = host.card
  await expect(card).toHaveCSS('color-scheme', 'dark')
  // Browsers paint an opaque canvas under a frame of another color scheme, which would make this corner a
  // single color.
  const root = host.dialog.locator('html')
  await expect(root).not.toHaveCSS('color-scheme', 'dark')
  const shot = await page.screenshot({ clip: { x: 0, y: 60, width: 300, height: 400 } })
  expect(new Set(shot).size).toBeGreaterThan(40)
})

// spec L2.1
test('navigating between screens leaves every path unchanged', async ({ host, inbox, page, stack }) => {
  await host.open()
  await host.openLogin()
  // Ignore the wallet frame, which is hidden and loads when the page is idle.
  const seen = [stack.hostOrigin, stack.dialogOrigin]
  const paths = () =>
    page
      .frames()
      .map((frame) => frame.url())
      .filter((url) => seen.some((origin) => url.startsWith(origin)))
      .map((url) => new URL(url).pathname)
  const before = ['/', '/apps/lkdemo0000000000000000001/dialog']
  expect(paths()).toEqual(before)
  await host.askForCode(inbox.address)
  expect(paths()).toEqual(before)
})

// spec L1.1, L2.3
test('the standalone dialog is part of the page and has no close button', async ({ page, stack, inbox }) => {
  await page.goto(`${stack.dialogOrigin}/apps/${appId}/dialog`)
  const email = page.getByRole('textbox', { name: /e-?mail/i })
  await expect(email).toBeVisible()
  await expect(page.getByRole('button', { name: 'Close' })).toHaveCount(0)
  await email.fill(inbox.address)
  await email.press('Enter')
  const digits = page.getByRole('group', { name: /code/i }).getByRole('textbox')
  await expect(digits).toHaveCount(6)
  await expect(digits.first()).toBeFocused()
  await page.keyboard.type(await inbox.nextCode())
  await expect(page.getByRole('button', { name: 'Log out' })).toBeVisible()
  await page.getByRole('button', { name: 'Log out' }).click()
  await expect(email).toBeVisible()
})
