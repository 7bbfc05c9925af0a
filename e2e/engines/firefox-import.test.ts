/** Key import in Firefox: the import page has its own vault and content security policy. */

import { openInbox } from '@latchkey/sandbox'
import type { Frame } from 'puppeteer-core'
import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { recoverMessageAddress } from 'viem/utils'
import { expect, it } from 'vitest'
import { beginCall, logInByEmail } from '../pages/page-calls.ts'
import { inFirefox } from './firefox.ts'
import type { Visitor } from './visitor.ts'

const firefox = inFirefox(['embedded_wallet_config.create_on_login=off'])

type CallResult = {
  user?: { address?: string; imported?: boolean; signature?: Hex }
  code?: string
}

async function askForKey(visitor: Visitor) {
  const imported = await beginCall<CallResult>(visitor.page, 'importWallet')
  await visitor.dialogShows('Import wallet')
  const frame = await visitor.page.waitForFrame((each) => each.url().includes('/embedded-wallets/import'), {
    timeout: 20_000,
  })
  return { imported, frame }
}

async function type(visitor: Visitor, frame: Frame, text: string) {
  const field = await frame.waitForSelector('#key', { visible: true })
  await field?.click()
  await visitor.page.keyboard.type(text)
  expect(
    await field?.evaluate((input) => getComputedStyle(input).getPropertyValue('-webkit-text-security')),
  ).toBe('disc')
  await visitor.page.keyboard.press('Enter')
}

const says = (frame: Frame, text: string) =>
  frame.waitForFunction((wanted) => document.body.textContent.includes(wanted), { timeout: 20_000 }, text)

it('Firefox rejects an invalid key and signs with an imported one', async () => {
  const inbox = openInbox(firefox.stack.sandboxUrl)
  const visitor = await firefox.come()
  await visitor.openOneLine()
  await logInByEmail({ page: visitor.page, host: visitor, inbox })
  const key = generatePrivateKey()
  const { address } = privateKeyToAccount(key)
  const { imported, frame } = await askForKey(visitor)
  await type(visitor, frame, 'f'.repeat(64))
  await says(frame, 'No wallet can have this private key.')
  await type(visitor, frame, key)
  await says(frame, address)
  const button = await frame.waitForSelector('button[data-gate]', { visible: true })
  await button?.hover()
  await frame.waitForSelector('button[data-gate="ready"]', { timeout: 20_000 })
  await button?.click()
  await visitor.dialogShows('Wallet imported')
  expect(await imported()).toMatchObject({ user: { address, imported: true } })
  await visitor.dialogCloses()

  const signed = await beginCall<CallResult>(visitor.page, 'signMessage', 'hello')
  await visitor.approve()
  const { user } = await signed()
  expect(await recoverMessageAddress({ message: 'hello', signature: user?.signature ?? '0x' })).toBe(address)
}, 90_000)
