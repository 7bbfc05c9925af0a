/** Puts requests like a dialog before it requests their token. */
import { randomBytes } from 'node:crypto'
import type { AccountAction, ConfirmableRequest, WalletRpcRequest } from '@latchkey/protocol/wallet'
import { toHex } from 'viem/utils'
import type { TestBrowser } from '../../../identity/sessions/testing/browser.ts'
import type { BrowserKey } from '../../../identity/sessions/testing/browser-key.ts'

export const newHandle = () => randomBytes(32).toString('base64url')

export const messageRequest = (address: string, message: string): WalletRpcRequest => ({
  method: 'personal_sign',
  params: [toHex(message), address],
})

type Decided = {
  appId: string
  handle: string
  digest: string
  decision: 'approve' | 'refuse'
}

/** Creates the page's call; an approval is signed by the vault of `device`. */
export const decisionBody = (
  device: Pick<BrowserKey, 'decide'>,
  { appId: aud, decision, handle, digest }: Decided,
) => ({
  handle,
  digest,
  decision,
  ...(decision === 'approve' && { statement: device.decide({ aud, decision, handle, digest }) }),
})

type Confirming = { browser: Pick<TestBrowser, 'call' | 'approve'>; token: string }

/** Returns the handle of a message that needs no screen. */
export const confirmMessage = (
  browser: Pick<TestBrowser, 'call' | 'approve'>,
  token: string,
  address: string,
  message = 'Hello',
): Promise<string> => confirmRequest({ browser, token }, address, messageRequest(address, message))

/** Does the same for an account action, which the user has approved on the page. */
export const confirmAction = (confirming: Confirming, action: AccountAction): Promise<string> =>
  confirmRequest(
    confirming,
    action.method === 'export' || action.method === 'set-recovery' ? action.params[0] : null,
    action,
  )

async function confirmRequest(
  { browser, token }: Confirming,
  address: string | null,
  request: ConfirmableRequest,
): Promise<string> {
  const handle = newHandle()
  const body = { handle, address, request, origin: null, place: 'frame' }
  const { status, answer } = await browser.call('putConfirmation', { token, body })
  if (status !== 200) throw new Error(`Not confirmed: ${JSON.stringify(answer)}`)
  if (Object(answer).place === 'page') await browser.approve(handle)
  return handle
}
