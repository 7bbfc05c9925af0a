/** What a dialog puts before it asks for the token of what its user approves. */
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

/** What the page sends; an approval with what the vault of `device` has signed. */
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

/** The handle of a message that may be signed at once. */
export const confirmMessage = (
  browser: Pick<TestBrowser, 'call' | 'approve'>,
  token: string,
  address: string,
  message = 'Hello',
): Promise<string> => confirmRequest({ browser, token }, address, messageRequest(address, message))

/** The same of what is done with the account, which its user has approved on the page. */
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
