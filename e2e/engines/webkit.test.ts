/** A smoke test of the path in WebKitGTK: login, wallet, signature, reload, keyboard and color scheme. */
import '../stack/resolve-localhost.ts'
import { type Inbox, openInbox } from '@latchkey/sandbox'
import { type Hex, verifyMessage } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { localPorts } from '../../scripts/local/ports.ts'
import { appId, type Stack, startStack } from '../stack/stack.ts'
import { keys, startWebKit, type WebKitSession } from './webkit.ts'

let stack: Stack
let browser: WebKitSession
beforeAll(async () => {
  stack = await startStack(localPorts().server + 400, { scheme: 'http' })
  browser = await startWebKit(4398)
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

/** Opens the card and waits until its first screen accepts keys. A closed frame still has its last screen. */
async function openLogin() {
  await browser.click(await browser.find('[data-testid="login"]'))
  await enterDialog()
  await browser.find('[data-open="true"] [data-leaving="false"] input[type="email"]')
  // Keys go to the host page until the frame has the focus.
  await browser.until('return document.hasFocus()')
  // The screen listens to keys after it is drawn.
  await browser.run('return new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))')
}

/** Presses Escape and waits until the host's login button has the focus again. */
async function pressEscape() {
  await browser.leaveFrames()
  await browser.type(keys.escape)
  await browser.until("return document.querySelector('dialog[open]') === null")
  await browser.until("return document.activeElement?.getAttribute('data-testid') === 'login'")
}

/** Logs out the user of an earlier test. */
async function logOutIfNeeded() {
  await browser.until(
    `return ['login', 'logout'].some((id) => document.querySelector('[data-testid="' + id + '"]').checkVisibility())`,
  )
  const isUser = await browser.run<boolean>(
    `return document.querySelector('[data-testid="logout"]').checkVisibility()`,
  )
  if (isUser) await browser.click(await browser.find('[data-testid="logout"]'))
  await browser.until(`return document.querySelector('[data-testid="login"]').checkVisibility()`)
}

const chooseTheme = (theme: 'light' | 'dark') =>
  browser.run(`document.querySelector('[data-testid="theme-${theme}"]').click()`)

const usedScheme = (element: string) => `return getComputedStyle(${element}).colorScheme`

/** Browsers paint a transparent frame opaque if its element and its document have different color schemes. */
async function frameIsTransparent(scheme: 'light' | 'dark') {
  await enterDialog()
  await browser.until(
    `return getComputedStyle(document.documentElement).colorScheme === '${scheme}' && getComputedStyle(document.body).backgroundColor === 'rgba(0, 0, 0, 0)'`,
  )
  await browser.leaveFrames()
  expect(await browser.run<string>(usedScheme("document.querySelector('dialog iframe')"))).toBe(scheme)
}

async function enterCode(inbox: Inbox) {
  await openLogin()
  // WebKit does not focus a field in a frame without user interaction.
  await browser.click(await browser.find('input[type="email"]'))
  // After a logout the field contains the last address.
  await browser.run('document.activeElement.select()')
  await browser.type(inbox.address + keys.enter)
  await browser.find('input[inputmode="numeric"]')
  await browser.type(await inbox.nextCode())
  await browser.leaveFrames()
}
const dialogCloses = () => browser.until("return document.querySelector('dialog[open]') === null")

async function logIn(inbox: Inbox) {
  await enterCode(inbox)
  await browser.find('[data-testid="wallet-address"][data-address^="0x"]')
  await dialogCloses()
}

async function approve() {
  await enterDialog()
  await pressGated()
  await browser.leaveFrames()
}

/**
 * Presses the gated button by keyboard, because the gate cannot follow the pointer position that this driver
 * reports. The gate is ready at once if an earlier click left the pointer on the button.
 */
async function pressGated() {
  await browser.until(`return document.querySelector('[data-gate="armed"], [data-gate="ready"]') !== null`)
  await browser.run("document.querySelector('[data-gate]').focus()")
  await browser.until(`return document.querySelector('[data-gate="ready"]') !== null`)
  await browser.type(keys.enter)
}

/**
 * Starts a call of the page. Returns a function that waits for its result, so that the test can act in
 * between.
 */
async function beginCall(script: string): Promise<() => Promise<Readonly<Record<string, unknown>>>> {
  await browser.run(
    `globalThis.ended = undefined
    latchkey.${script}.then((answer) => ({ answer }), ({ code }) => ({ code })).then((ended) => { globalThis.ended = ended })`,
  )
  return async () => {
    await browser.until('return globalThis.ended !== undefined')
    return browser.run('return globalThis.ended')
  }
}

describe('WebKit', () => {
  it('logs in, creates a wallet, signs validly, and keeps the session', async () => {
    const inbox = openInbox(stack.sandboxUrl)
    await browser.open(stack.hostOrigin)
    await logIn(inbox)
    const address = await attribute('wallet-address', 'data-address')

    const message = await browser.find('[data-testid="sign-input"]')
    await browser.run("document.querySelector('[data-testid=\"sign-input\"]').value = ''")
    await browser.click(message)
    await browser.type('Signed in WebKit')
    await browser.click(await browser.find('[data-testid="sign"]'))
    await approve()
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
  it('focuses the first field, closes on Escape from anywhere, and restores the focus', async () => {
    await browser.open(stack.hostOrigin)
    await logOutIfNeeded()
    for (const typed of ['mira', 'jonas']) {
      await openLogin()
      await browser.type(typed)
      await browser.until(`return document.querySelector('input[type="email"]').value === '${typed}'`)
      // Move the focus out of the frame.
      await browser.leaveFrames()
      await browser.type(keys.tab.repeat(8))
      await pressEscape()
    }
  }, 120_000)

  it('keeps the frame transparent when the page changes its scheme after a logout', async () => {
    await browser.open(stack.hostOrigin)
    await logOutIfNeeded()
    await chooseTheme('light')
    await logIn(openInbox(stack.sandboxUrl))
    await logOutIfNeeded()
    for (const theme of ['dark', 'light', 'dark'] as const) {
      await chooseTheme(theme)
      await openLogin()
      await frameIsTransparent(theme)
      await pressEscape()
    }
  }, 120_000)

  it("imports a user's key and signs with it", async () => {
    const key = generatePrivateKey()
    const { address } = privateKeyToAccount(key)
    await stack.app('set', appId, 'embedded_wallet_config.create_on_login=off')
    await browser.open(stack.hostOrigin)
    await logOutIfNeeded()
    await browser.open(`${stack.hostOrigin}/one-line.html`)
    await browser.until('return globalThis.latchkey !== undefined')
    await enterCode(openInbox(stack.sandboxUrl))
    await dialogCloses()

    const imported = await beginCall('importWallet()')
    await enterDialog()
    await browser.enterFrame(await browser.find('iframe[title="Private key or seed phrase"]'))
    await browser.click(await browser.find('#key'))
    await browser.type(key + keys.enter)
    await browser.until(`return document.querySelector('.address')?.textContent === '${address}'`)
    expect(await browser.run('return document.documentElement.outerHTML')).not.toContain(key.slice(2))
    await pressGated()
    await browser.leaveFrames()
    expect(await imported()).toMatchObject({ answer: { address, imported: true } })
    await dialogCloses()

    const signed = await beginCall("signMessage('hello')")
    await approve()
    const { answer } = await signed()
    const { signature } = answer as { signature: Hex }
    expect(await verifyMessage({ address, message: 'hello', signature })).toBe(true)
  }, 120_000)
})
