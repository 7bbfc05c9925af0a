/**
 * Firefox cannot detect whether a card is covered. It approves plain messages and small coin amounts on the
 * card; everything else needs the confirmation page.
 */

import { openInbox } from '@latchkey/sandbox'
import { authenticatorApp } from '@latchkey/testing/playwright'
import type { Page } from 'puppeteer-core'
import { createTestClient, type Hex, http, parseEther, publicActions } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { anvil } from 'viem/chains'
import { verifyTypedData } from 'viem/utils'
import { expect, it } from 'vitest'
import { beginCall } from '../pages/page-calls.ts'
import { appId } from '../stack/stack.ts'
import { inFirefox } from './firefox.ts'
import type { Visitor } from './visitor.ts'

const someone = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const contract = '0x00000000000000000000000000000000000ec005'
// Typed data on the allowlist: browsers that can detect covers approve it on the card.
const firefox = inFirefox([
  'rpc_urls.31337=["http://127.0.0.1:9"]',
  `card_typed_data=[{"contract":"${contract}","primary_type":"Order"}]`,
  'mfa_methods=["totp"]',
])

const types = { Order: [{ name: 'count', type: 'uint256' }] }
const domain = { name: 'Fieldnotes', chainId: 31_337, verifyingContract: contract } as const
const typedData = { types, primaryType: 'Order', domain, message: { count: '5' } } as const

type Changed = { user?: { mfaMethods: readonly string[] } }
const onPage = 'You confirm this on a separate page, where nothing can cover it.'

/** Confirms on the page that the card opens. */
async function confirmOnPage(visitor: Visitor, heading: string) {
  await visitor.dialogSays(onPage)
  const page = await visitor.windowOf(() => visitor.pressWalletButton('Continue to confirm'))
  await page.waitForFunction(
    (wanted) => document.body.textContent.includes(wanted),
    { timeout: 20_000 },
    heading,
  )
  await visitor.approve(page)
}

/** Reads the authenticator secret, which is shown in groups of four characters. */
async function secretIn(visitor: Visitor): Promise<string> {
  const frame = await visitor.dialog()
  const written = await frame.waitForFunction(
    () =>
      [...document.querySelectorAll('*')]
        .map((each) => each.textContent.trim())
        .find((text) => /^(?:[A-Z2-7]{1,4} ?){4,}$/.test(text)),
    { timeout: 20_000 },
  )
  return String(await written.jsonValue())
}

it('Firefox confirms typed data and a removed verification method on a page, and exports a key in a window', async () => {
  const visitor = await firefox.arrive()
  await visitor.logIn(openInbox(firefox.stack.sandboxUrl))
  const wallet = await visitor.walletAddress()
  await visitor.openOneLine()
  const ended = await beginCall<{ user: { signature: Hex; address: Hex } }>(
    visitor.page,
    'signTypedData',
    typedData,
  )
  await confirmOnPage(visitor, 'Fieldnotes')
  await visitor.dialogSays('Success')
  const {
    user: { signature, address },
  } = await ended()
  const signedData = {
    address,
    signature,
    types,
    domain,
    primaryType: 'Order',
    message: { count: 5n },
  } as const
  expect([address, await verifyTypedData(signedData)]).toEqual([wallet, true])
  await visitor.dialogCloses()

  const added = await beginCall<Changed>(visitor.page, 'enrollMfa', 'totp')
  await visitor.dialogShows('Scan QR code')
  const app = authenticatorApp(await secretIn(visitor))
  await visitor.pressInDialog('Continue')
  await visitor.dialogFocuses('input[inputmode="numeric"]')
  await visitor.typeCode(app.code())
  await visitor.dialogShows('Authenticator app verification added')
  await visitor.pressInDialog('Done')
  expect(await added()).toMatchObject({ user: { mfaMethods: ['totp'] } })
  await visitor.dialogCloses()

  const removed = await beginCall<Changed>(visitor.page, 'unenrollMfa', 'totp')
  await confirmOnPage(visitor, 'Remove authenticator app verification?')
  await visitor.dialogShows('Enter verification code')
  await visitor.dialogFocuses('input[inputmode="numeric"]')
  await visitor.typeCode(app.code())
  await visitor.dialogShows('Choose a verification method')
  await visitor.page.keyboard.press('Escape')
  expect(await removed()).toMatchObject({ user: { mfaMethods: [] } })
  await visitor.dialogCloses()

  await beginCall(visitor.page, 'exportWallet')
  await visitor.dialogSays('Transfer Wallet')
  const window = await visitor.windowOf(() => visitor.pressWalletButton('Continue'))
  const isShown = (form: string) => /^0x[0-9a-f]{64}$/.test(document.querySelector(form)?.textContent ?? '')
  await pressUntil(window, () => document.querySelector('[data-form=key]') !== null)
  await pressUntil(window, isShown, '[data-form=key]')
  const key = await window.$eval('[data-form=key]', (node) => node.textContent)
  expect(privateKeyToAccount(key as Hex).address).toBe(wallet)
}, 150_000)

it('Firefox approves up to 20 dollars of coin a day on the card, and more on a page', async () => {
  const { stack } = firefox
  const visitor = await firefox.arrive()
  await stack.app('set', appId, `rpc_urls.31337=${JSON.stringify([stack.chainUrl])}`)
  await visitor.logIn(openInbox(stack.sandboxUrl))
  const wallet = (await visitor.walletAddress()) as Hex
  const chain = createTestClient({ chain: anvil, mode: 'anvil', transport: http(stack.chainUrl) }).extend(
    publicActions,
  )
  await chain.setAutomine(true)
  await chain.setBalance({ address: wallet, value: parseEther('1') })
  await visitor.openOneLine()
  // 15 dollars of ether at 2,500 dollars, sent twice.
  const value = `0x${parseEther('0.006').toString(16)}`
  const first = await beginCall<{ user: { status: string } }>(visitor.page, 'sendTransaction', {
    to: someone,
    value,
  })
  await visitor.approve()
  expect(await first()).toMatchObject({ user: { status: 'success' } })
  await visitor.pressInDialog('All Done')
  await visitor.dialogCloses()
  await beginCall(visitor.page, 'sendTransaction', { to: someone, value })
  await visitor.dialogSays(onPage)
  expect(await chain.getBalance({ address: wallet })).toBeLessThan(parseEther('0.994'))
  expect(await chain.getBalance({ address: wallet })).toBeGreaterThan(parseEther('0.988'))
}, 90_000)

/** Hovers over the approval button and clicks it, until the press counts. */
async function pressUntil(window: Page, isDone: (about: string) => boolean, about = '') {
  for (;;) {
    const button = await window.waitForSelector('button.primary[data-gate]', {
      visible: true,
      timeout: 20_000,
    })
    await button?.hover()
    await window.waitForSelector('button.primary[data-gate="ready"]', { timeout: 5_000 })
    await button?.click()
    const counted = window.waitForFunction(isDone, { timeout: 5_000 }, about)
    if (await counted.then(() => true).catch(() => false)) return
  }
}
