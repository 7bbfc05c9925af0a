/** A smoke of the path in WebKitGTK: login, wallet, signature, reload. */
import '../stack/resolve-localhost.ts'
import { type Hex, verifyMessage } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openInbox } from '../stack/inbox.ts'
import { type Stack, startStack } from '../stack/stack.ts'
import { keys, startWebKit, type WebKitSession } from './webkit.ts'

let stack: Stack
let browser: WebKitSession
beforeAll(async () => {
  stack = await startStack(4350)
  browser = await startWebKit(4390)
}, 90_000)
afterAll(async () => {
  await browser.close()
  await stack.stop()
})

const attribute = (testId: string, name: string) =>
  browser.run<string>(`return document.querySelector('[data-testid="${testId}"]').getAttribute('${name}')`)

async function enterDialog() {
  await browser.leaveFrames()
  await browser.enterFrame(await browser.find('dialog iframe'))
}

describe('WebKit', () => {
  it('goes from a button to a wallet and a signature that holds, and keeps the session', async () => {
    const inbox = openInbox(stack.sandboxUrl)
    await browser.open(stack.hostOrigin)
    await browser.click(await browser.find('[data-testid="login"]'))
    await enterDialog()
    // WebKit gives no focus to a field in a frame that nobody touched.
    await browser.click(await browser.find('input[type="email"]'))
    await browser.type(inbox.address + keys.enter)
    await browser.find('input[inputmode="numeric"]')
    await browser.type(await inbox.nextCode())

    await browser.leaveFrames()
    await browser.find('[data-testid="wallet-address"][data-address^="0x"]')
    await browser.until("return document.querySelector('dialog[open]') === null")
    const address = await attribute('wallet-address', 'data-address')

    const message = await browser.find('[data-testid="sign-input"]')
    await browser.run("document.querySelector('[data-testid=\"sign-input\"]').value = ''")
    await browser.click(message)
    await browser.type('Signed in WebKit')
    await browser.click(await browser.find('[data-testid="sign"]'))
    await enterDialog()
    await browser.until(`return document.querySelector('[data-gate="armed"]') !== null`)
    const button = await browser.find('[data-gate]')
    // The driver presses in the moment in which its pointer arrives: that is asked again.
    await browser.click(button)
    await browser.until(
      `return document.querySelector('[data-gate="ready"]')?.innerText.includes('Press again to confirm')`,
    )
    await browser.click(button)
    await browser.leaveFrames()
    await browser.find('[data-testid="signature"][data-signature^="0x"]')
    const signature = await attribute('signature', 'data-signature')
    expect(
      await verifyMessage({
        address: address as Hex,
        message: 'Signed in WebKit',
        signature: signature as Hex,
      }),
    ).toBe(true)

    await browser.open(stack.hostOrigin)
    await browser.until(
      `return document.querySelector('[data-testid="user-email"]')?.textContent === '${inbox.address}'`,
    )
  }, 120_000)
})
