/**
 * Opens the confirmation page for requests that certainly need it. Opening it in the click that made the
 * request saves a card that only links there.
 *
 * The page receives its content from the wallet frame. This file and other openers can close it, but decide
 * nothing.
 */
import type { ConfirmPage } from '@latchkey/protocol/host'
import { base64urlnopad } from '@scure/base'
import type { Request } from './request.ts'

export type OpenedWindow = { name: string; close: () => void }

/** The size of all product windows. */
const features = 'popup,width=440,height=680'
const NAME_BYTES = 32

/**
 * Opens the window. Returns undefined if the card may approve the request, the click has expired, or the window
 * was blocked.
 */
export function openWindowFor(
  request: Request,
  { address, ...rules }: ConfirmPage,
  chainId: number,
): OpenedWindow | undefined {
  if (!navigator.userActivation?.isActive || !needsPage(request, rules, chainId)) return undefined
  const name = base64urlnopad.encode(crypto.getRandomValues(new Uint8Array(NAME_BYTES)))
  // Opened without a window name, because a page can navigate a named window.
  const popup = open(`${address}#w.${name}`, '_blank', features)
  return popup ? { name, close: () => popup.close() } : undefined
}

type Rules = Omit<ConfirmPage, 'address'>

function needsPage({ method, params }: Request, rules: Rules, chainId: number): boolean {
  if (/^eth_signTypedData_v[34]$/.test(method)) return isTypedDataForPage(params[1], rules)
  if (method !== 'eth_sendTransaction') return false
  // The rule depends on the chain, which is not known yet.
  return chainId !== 0 && !rules.testNetworks.includes(chainId) && isAllowance(params[0])
}

/**
 * Returns whether typed data needs the page: all but the operator's list. The dialog refuses unreadable data.
 */
function isTypedDataForPage(data: unknown, { typedDataOnCard }: Rules): boolean {
  const { domain, primaryType, types } = Object(parseTypedData(data))
  if (typeof primaryType !== 'string' || typeof types !== 'object') return false
  const verifying = String(Object(domain).verifyingContract).toLowerCase()
  return !typedDataOnCard.some(
    ({ contract, primaryType: listed }) => listed === primaryType && contract.toLowerCase() === verifying,
  )
}

function parseTypedData(data: unknown): unknown {
  if (typeof data !== 'string') return data
  try {
    return JSON.parse(data)
  } catch {
    return undefined
  }
}

/**
 * Selectors of `approve`, `increaseAllowance` and `setApprovalForAll`, which the operator's list cannot
 * contain.
 */
const allowances: ReadonlySet<string> = new Set(['0x095ea7b3', '0x39509351', '0xa22cb465'])

function isAllowance(transaction: unknown): boolean {
  const { data, input } = Object(transaction)
  const calldata: unknown = data ?? input
  return typeof calldata === 'string' && allowances.has(calldata.slice(0, 10).toLowerCase())
}
