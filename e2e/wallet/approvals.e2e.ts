import type { Page } from '@playwright/test'
import { type Hex, verifyMessage } from 'viem'
import type { HostPage } from '../pages/host-page.ts'
import { expect, test } from '../test.ts'

test.describe.configure({ mode: 'default' })
test.use({ isLoggedIn: true })
test.beforeEach(async ({ host }) => {
  await host.open()
  await host.walletAddress()
  await host.byTestId('sign-input').fill('Only when you can see me')
})

const pressAgain = (host: HostPage) => host.dialog.getByRole('button', { name: 'Press again to confirm' })
const signature = (host: HostPage) => host.byTestId('signature')
const signed = (host: HostPage) =>
  expect(signature(host)).toHaveAttribute('data-signature', /^0x[0-9a-f]{130}$/)

/**
 * Checks that nothing was or is being signed: closing the card rejects the host's call. A press that landed
 * beside the card has closed it already.
 */
async function nothingIsSigned(host: HostPage) {
  await host.page.keyboard.press('Escape')
  await host.dialogCloses()
  await expect(host.byTestId('event-log').getByText('user_rejected_request')).toHaveCount(1)
  await expect(signature(host)).not.toHaveAttribute('data-signature', /^0x/)
}

/** Records every state of the approval button from now on, because states may be brief. */
const watchGate = (host: HostPage) =>
  host.dialog.locator('html').evaluateHandle((root) => {
    const seen: string[] = []
    new MutationObserver(() => {
      const button = root.querySelector('button[data-gate]')
      if (!button) return
      const state = `${button.getAttribute('data-gate')}, ${button.getAttribute('aria-disabled') ? 'disabled' : 'enabled'}`
      if (state !== seen.at(-1)) seen.push(state)
    }).observe(root, { subtree: true, childList: true, attributes: true })
    return seen
  })

async function pressWhereItRests(page: Page) {
  await page.mouse.down()
  await page.mouse.up()
}

/** Covers the dialog with an element of the host, in the top layer, where the last element is on top. */
async function coverTheFrame(page: Page, flicker?: { shownMs: number; goneMs: number }) {
  await page.evaluate((hours) => {
    const cover = document.createElement('div')
    cover.id = 'cover'
    cover.popover = 'manual'
    cover.textContent = 'Click here for a prize'
    cover.style.cssText =
      'position:fixed;inset:0;width:100vw;height:100vh;opacity:0.02;pointer-events:none;border:0;padding:0'
    document.body.append(cover)
    const show = () => {
      const isShown = cover.matches(':popover-open')
      const isWanted = document.querySelector('dialog[open]') !== null
      if (isWanted && !isShown) cover.showPopover()
      // The next dialog would be on top of a cover that stays.
      if (isShown && !isWanted) cover.hidePopover()
    }
    if (!hours) {
      new MutationObserver(show).observe(document, { subtree: true, childList: true, attributes: true })
      return
    }
    const again = () => {
      if (!cover.isConnected) return
      show()
      setTimeout(() => {
        if (cover.matches(':popover-open')) cover.hidePopover()
        setTimeout(again, hours.goneMs)
      }, hours.shownMs)
    }
    again()
  }, flicker)
}
const uncover = (page: Page) => page.evaluate(() => document.getElementById('cover')?.remove())

// spec W2.17, W4.15
test('the sign screen shows origin and message, starts disarmed, and closes after Success', async ({
  host,
  stack,
}) => {
  const states = await watchGate(host)
  await host.byTestId('sign').click()
  await expect(host.dialog.getByRole('heading', { name: 'Sign message', exact: true })).toBeVisible()
  await expect(host.dialog.getByText('Signing this message will not cost you any fees.')).toBeVisible()
  await expect(host.dialog.getByText('Only when you can see me')).toBeVisible()
  await expect(host.dialog.getByText(new URL(stack.hostOrigin).host)).toBeVisible()
  expect((await states.jsonValue())[0]).toBe('waiting, disabled')
  await host.approve()
  await expect(host.dialog.getByText('Success')).toBeVisible()
  await host.dialogCloses()
})

test('a second approval starts disarmed and re-arms under the resting pointer', async ({ host, page }) => {
  await host.byTestId('sign').click()
  await host.approve()
  await signed(host)
  await host.dialogCloses()
  const first = await signature(host).getAttribute('data-signature')
  const states = await watchGate(host)
  await host.byTestId('sign-input').fill('And another one')
  // The pointer stays in place.
  await host.byTestId('sign').dispatchEvent('click')
  await expect(host.dialog.getByText('And another one')).toBeVisible()
  await expect(host.approveButton).toBeEnabled()
  // A busy machine can lose the visibility again while the gate is arming.
  const seen = await states.jsonValue()
  const firstEnabled = seen.findIndex((state) => state.endsWith('enabled'))
  expect(seen[0]).toBe('waiting, disabled')
  expect(seen.slice(firstEnabled - 1, firstEnabled + 1)).toEqual([
    'arming, disabled',
    expect.stringMatching(/^(?:armed|settling), enabled$/),
  ])
  await pressWhereItRests(page)
  // Browsers differ in whether they report a pointer that has not moved.
  const success = host.dialog.getByText('Success')
  await expect(pressAgain(host).or(success)).toBeVisible()
  if (await pressAgain(host).isVisible()) {
    await expect(pressAgain(host)).toHaveAttribute('data-gate', 'ready')
    await pressWhereItRests(page)
  }
  await expect(signature(host)).not.toHaveAttribute('data-signature', first ?? '')
  await signed(host)
})

test('a synthetic click does not approve', async ({ host }) => {
  await host.byTestId('sign').click()
  await host.approveButton.hover()
  await expect(host.approveButton).toHaveAttribute('data-gate', 'ready')
  await host.approveButton.evaluate((node) => (node as HTMLButtonElement).click())
  await host.approveButton.evaluate((node) => node.dispatchEvent(new MouseEvent('click', { bubbles: true })))
  await nothingIsSigned(host)
  await host.byTestId('sign').click()
  await host.approve()
  await signed(host)
})

test('a host element over the frame keeps the button disarmed', async ({ host, page }) => {
  await coverTheFrame(page)
  await host.byTestId('sign').click()
  await expect(host.dialog.getByText(/is covering this card/)).toBeVisible()
  await expect(host.approveButton).toBeDisabled()
  await nothingIsSigned(host)
  await host.byTestId('sign').click()
  await expect(host.dialog.getByText(/is covering this card/)).toBeVisible()
  await uncover(page)
  await host.approve()
  await signed(host)
})

test('a flickering cover keeps the button disarmed until it stays away', async ({ host, page }) => {
  await coverTheFrame(page, { shownMs: 70, goneMs: 50 })
  await host.byTestId('sign').click()
  await expect(host.approveButton).toBeVisible()
  const states = await host.approveButton.evaluate(
    (button) =>
      new Promise<readonly string[]>((resolve) => {
        const seen: string[] = []
        new MutationObserver(() => {
          seen.push(button.getAttribute('data-gate') ?? '')
          if (seen.length === 20) resolve(seen)
        }).observe(button, { attributeFilter: ['data-gate'] })
      }),
  )
  expect(states).toContain('arming')
  expect(states).not.toContain('ready')
  await uncover(page)
  await host.approve()
  await signed(host)
})

type Move = { how: string; byPx: number }
/** Moves the frame to the right, in one of the ways that a host has. */
const moveTheFrame = (page: Page, { how, byPx }: Move) =>
  page.evaluate(
    ([way, px]) => {
      const dialog = document.querySelector('dialog')
      const frame = dialog?.querySelector('iframe')
      if (!dialog || !frame) throw new Error('No dialog frame found')
      const set = (element: HTMLElement, name: string, value: string) =>
        element.style.setProperty(name, value, 'important')
      if (way === 'transform') set(frame, 'transform', `translateX(${px}px)`)
      if (way === 'left') {
        set(frame, 'inset', 'auto')
        set(frame, 'left', `${px}px`)
      }
      if (way === 'scroll') {
        set(dialog, 'overflow', 'scroll')
        set(dialog, 'scrollbar-width', 'none')
        if (!dialog.querySelector('p')) {
          const wide = document.createElement('p')
          wide.style.cssText = 'position:absolute;left:0;top:0;height:1px;width:300vw'
          dialog.append(wide)
        }
        dialog.scrollLeft = px
      }
      // Resolve as soon as it is drawn there.
      return new Promise<void>((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => drawn())))
    },
    [how, byPx] as const,
  )

for (const how of ['left', 'transform']) {
  test(`a frame moved under the pointer by ${how} ignores the click and re-arms`, async ({ host, page }) => {
    await pressAfterMoving(host, page, how)
    await expect(host.approveButton).toHaveAttribute('data-gate', /^(arming|settling)$/)
    await nothingIsSigned(host)
  })
}

// The scroll bars may cover the card for a moment. Then the button does not ask for another press.
test('a frame moved under the pointer by scrolling ignores the click', async ({ host, page }) => {
  await pressAfterMoving(host, page, 'scroll')
  await nothingIsSigned(host)
})

async function pressAfterMoving(host: HostPage, page: Page, how: string) {
  await host.byTestId('sign').click()
  await host.approveButton.hover()
  await expect(host.approveButton).toHaveAttribute('data-gate', 'ready')
  await moveTheFrame(page, { how, byPx: 12 })
  await pressWhereItRests(page)
}

test('a frame that appears under a clicking pointer ignores the click', async ({ host, page }) => {
  await host.byTestId('sign').click()
  await host.approveButton.hover()
  await moveTheFrame(page, { how: 'transform', byPx: 320 })
  await page.mouse.move(30, 30)
  const aside = page.viewportSize()
  await page.mouse.move((aside?.width ?? 0) / 2, 600)
  await expect(host.approveButton).toHaveAttribute('data-gate', 'armed')
  await page.mouse.move((aside?.width ?? 0) / 2, (await host.approveButton.boundingBox())?.y ?? 0)
  await moveTheFrame(page, { how: 'transform', byPx: 0 })
  await pressWhereItRests(page)
  await nothingIsSigned(host)
})

test('a frame that the host draws too small ignores the click and shows why', async ({ host, page }) => {
  const zoom = (value: string) =>
    page.evaluate((to) => document.documentElement.style.setProperty('zoom', to), value)
  await zoom('0.5')
  await host.byTestId('sign').click()
  await expect(host.dialog.getByText(/too small to read/)).toBeVisible()
  await expect(host.approveButton).toBeDisabled()
  await nothingIsSigned(host)
  await zoom('1')
  await host.byTestId('sign').click()
  await host.approve()
  await signed(host)
})

test('a text that looks like bytes is signed as the text that was shown', async ({ host }) => {
  const text = '0xdeadbeef'
  const made = await host.sign(text)
  const address = await host.walletAddress()
  expect(await verifyMessage({ address: address as Hex, message: text, signature: made as Hex })).toBe(true)
})
