/**
 * What no card may approve is confirmed on a page of the wallet's origin. Where a request certainly needs it, that page is
 * opened here, in the click that asked: a card that only leads there would be one screen more. The page learns from the
 * wallet frame what it is to show; this file, and whoever opened it, can close it, and decides nothing.
 */
import type { ConfirmPage } from '@latchkey/protocol/host'
import { base64urlnopad } from '@scure/base'
import type { Request } from './request.ts'

export type OpenedWindow = { name: string; close: () => void }

/** The window is as wide and high as every window of the product. */
const features = 'popup,width=440,height=680'
const NAME_BYTES = 32

/** Nothing where it may be approved on the card, where no click is left to open it in, or where none came. */
export function openWindowFor(
  request: Request,
  { address, ...rules }: ConfirmPage,
  chainId: number,
): OpenedWindow | undefined {
  if (!navigator.userActivation?.isActive || !needsPage(request, rules, chainId)) return undefined
  const name = base64urlnopad.encode(crypto.getRandomValues(new Uint8Array(NAME_BYTES)))
  // Named by nobody: a page can lead a window that has a name elsewhere.
  const opened = open(`${address}#w.${name}`, '_blank', features)
  return opened ? { name, close: () => opened.close() } : undefined
}

type Rules = Omit<ConfirmPage, 'address'>

function needsPage({ method, params }: Request, rules: Rules, chainId: number): boolean {
  if (/^eth_signTypedData_v[34]$/.test(method)) return isTypedDataForPage(params[1], rules)
  if (method !== 'eth_sendTransaction') return false
  // Of a chain that is not known yet it can not be said.
  return chainId !== 0 && !rules.testNetworks.includes(chainId) && isAllowance(params[0])
}

/** All typed data but what the operator lists. What can not be read is refused by the dialog, and opens nothing. */
function isTypedDataForPage(given: unknown, { typedDataOnCard }: Rules): boolean {
  const { domain, primaryType, types } = Object(read(given))
  if (typeof primaryType !== 'string' || typeof types !== 'object') return false
  const verifying = String(Object(domain).verifyingContract).toLowerCase()
  return !typedDataOnCard.some(
    ({ contract, primaryType: listed }) => listed === primaryType && contract.toLowerCase() === verifying,
  )
}

function read(given: unknown): unknown {
  if (typeof given !== 'string') return given
  try {
    return JSON.parse(given)
  } catch {
    return undefined
  }
}

/** `approve`, `increaseAllowance` and `setApprovalForAll`, which no list of the operator can have. */
const allowances: ReadonlySet<string> = new Set(['0x095ea7b3', '0x39509351', '0xa22cb465'])

function isAllowance(transaction: unknown): boolean {
  const { data, input } = Object(transaction)
  const calldata: unknown = data ?? input
  return typeof calldata === 'string' && allowances.has(calldata.slice(0, 10).toLowerCase())
}
