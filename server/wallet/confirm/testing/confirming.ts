/** Puts requests like a dialog before it requests their token. */
import { randomBytes } from 'node:crypto'
import {
  type AccountAction,
  type ConfirmableRequest,
  type Delegation,
  noDelegate,
  type WalletRpcRequest,
} from '@latchkey/protocol/wallet'
import { hashAuthorization, toHex } from 'viem/utils'
import type { TestBrowser } from '../../../identity/sessions/testing/browser.ts'
import type { BrowserKey } from '../../../identity/sessions/testing/browser-key.ts'

export const newHandle = () => randomBytes(32).toString('base64url')

export const messageRequest = (address: string, message: string): WalletRpcRequest => ({
  method: 'personal_sign',
  params: [toHex(message), address],
})

/** The request to remove the delegate of this wallet, for which the operator pays. */
export function undelegationRequest(address: string, nonce = 0): WalletRpcRequest {
  const delegation: Delegation = { chainId: 1, delegate: noDelegate, nonce, fees: null }
  const digest = hashAuthorization({ address: noDelegate, chainId: 1, nonce })
  return { method: 'eth_signAuthorization', params: [address, JSON.stringify(delegation), digest] }
}

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

export async function confirmRequest(
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
