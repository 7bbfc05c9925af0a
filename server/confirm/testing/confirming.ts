/** What a dialog puts before it asks for the token of a signature. */
import { randomBytes } from 'node:crypto'
import type { WalletRpcRequest } from '@latchkey/protocol/wallet'
import { toHex } from 'viem/utils'
import type { TestBrowser } from '../../sessions/testing/browser.ts'

export const newHandle = () => randomBytes(32).toString('base64url')

export const messageRequest = (address: string, message: string): WalletRpcRequest => ({
  method: 'personal_sign',
  params: [toHex(message), address],
})

/** The handle of a message that may be signed at once. */
export async function confirmMessage(
  browser: Pick<TestBrowser, 'call'>,
  token: string,
  address: string,
  message = 'Hello',
): Promise<string> {
  const handle = newHandle()
  const body = { handle, address, request: messageRequest(address, message), origin: null, silent: false }
  const { status, answer } = await browser.call('putConfirmation', { token, body })
  if (status !== 200) throw new Error(`Not confirmed: ${JSON.stringify(answer)}`)
  return handle
}
