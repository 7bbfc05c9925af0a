import { type Hex, verifyMessage } from 'viem'
import { expect, test } from './test.ts'

test.beforeEach(async ({ host, inbox }) => {
  await host.open()
  await host.logIn(inbox)
  await host.walletAddress()
  await host.byTestId('sign-input').fill('Only when you can see me')
})

// spec W2.17, W4.15
test('the sign screen says who asks and what, starts disarmed, and closes after Success', async ({
  host,
  stack,
}) => {
  await host.byTestId('sign').click()
  const button = host.dialog.getByRole('button', { name: 'Sign and continue' })
  await expect(host.dialog.getByRole('heading', { name: 'Sign message', exact: true })).toBeVisible()
  await expect(host.dialog.getByText('Signing this message will not cost you any fees.')).toBeVisible()
  await expect(host.dialog.getByText('Only when you can see me')).toBeVisible()
  await expect(host.dialog.getByText(new URL(stack.hostOrigin).host)).toBeVisible()
  await expect(button).toBeEnabled()
  await button.click()
  await expect(host.dialog.getByText('Success')).toBeVisible()
  await host.dialogCloses()
})

test('something that the host puts over the frame keeps the button disarmed', async ({ host, page }) => {
  await page.evaluate(() => {
    const cover = document.createElement('div')
    cover.id = 'cover'
    cover.popover = 'manual'
    cover.textContent = 'Click here for a prize'
    for (const [name, value] of [
      ['inset', '0'],
      ['width', '100vw'],
      ['height', '100vh'],
      ['opacity', '0.02'],
      ['pointer-events', 'none'],
      ['position', 'fixed'],
    ]) {
      cover.style.setProperty(name ?? '', value ?? '')
    }
    document.body.append(cover)
    // The top layer is in order of showing: whoever comes last lies on top.
    new MutationObserver(() => {
      if (document.querySelector('dialog[open]') && !cover.matches(':popover-open')) cover.showPopover()
    }).observe(document, { subtree: true, childList: true, attributes: true })
  })
  await host.byTestId('sign').click()
  const button = host.dialog.getByRole('button', { name: 'Sign and continue' })
  await expect(button).toBeVisible()
  await expect(host.dialog.getByText(/covers this card/)).toBeVisible()
  await expect(button).toBeDisabled()
  await page.evaluate(() => document.getElementById('cover')?.remove())
  await expect(button).toBeEnabled()
  await button.click()
  await expect(host.byTestId('signature')).toHaveAttribute('data-signature', /^0x/, { timeout: 20_000 })
})

test('a click that no person made does not approve', async ({ host }) => {
  await host.byTestId('sign').click()
  const button = host.dialog.getByRole('button', { name: 'Sign and continue' })
  await expect(button).toBeEnabled()
  await button.evaluate((node) => (node as HTMLButtonElement).click())
  await button.evaluate((node) => node.dispatchEvent(new MouseEvent('click', { bubbles: true })))
  await expect(button).toBeVisible()
  await expect(host.byTestId('signature')).not.toHaveAttribute('data-signature', /^0x/)
})

test('a text that looks like bytes is signed as the text that was shown', async ({ host }) => {
  const text = '0xdeadbeef'
  const signature = await host.sign(text)
  const address = await host.walletAddress()
  expect(await verifyMessage({ address: address as Hex, message: text, signature: signature as Hex })).toBe(
    true,
  )
})
