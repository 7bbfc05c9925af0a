/** Where a request may be approved, by what it is. What it is worth is asked for where that decides. */
import type { ConfirmationPlace, ConfirmationReason } from '@latchkey/protocol/wallet'
import type { App } from '../ports.ts'
import type { Reading } from './reading.ts'

export type Verdict = { readonly place: ConfirmationPlace; readonly reason: ConfirmationReason }
/** Decided by its worth, which counts against what is left of the day. */
export type Judged = ({ readonly type: 'settled' } & Verdict) | Priced
export type Priced = { readonly type: 'priced'; readonly chainId: string; readonly amount: bigint }

type Rules = Pick<App, 'config' | 'approvals'>
type Typed = Extract<Reading, { kind: 'typed_data' }>
type Transaction = Extract<Reading, { kind: 'transaction' }>

const settled = (place: ConfirmationPlace, reason: ConfirmationReason): Judged => ({
  type: 'settled',
  place,
  reason,
})

export function judge(reading: Reading, app: Rules): Judged {
  switch (reading.kind) {
    case 'message':
      return reading.isText ? settled('frame', 'plain_message') : settled('page', 'not_understood')
    case 'account':
      return settled('frame', 'account_action')
    case 'typed_data':
      if (isWorthless(reading, app)) return settled('frame', 'test_network')
      return settled('page', isPermit(reading) ? 'allowance_or_permit' : 'not_understood')
    case 'transaction': {
      if (isWorthless(reading, app)) return settled('frame', 'test_network')
      const call = callOf(reading)
      if (call === 'none') return pricedAs(reading)
      return settled('page', reasonOfCall[call])
    }
    default:
      return reading satisfies never
  }
}

/** The same where nobody is to be asked; undefined where somebody has to be. */
export function judgeSilent(
  { noPrompt }: App['approvals'],
  method: string,
  reading: Reading,
  app: Rules,
): Judged | undefined {
  if (app.config.enforceWalletUis || noPrompt === null || !noPrompt.methods.some((each) => each === method))
    return undefined
  const isListed = (contract: string | undefined) =>
    contract !== undefined && noPrompt.contracts.includes(contract.toLowerCase())
  const within = settled('silent', 'within_limits')
  switch (reading.kind) {
    case 'message':
      return reading.isText ? within : undefined
    case 'account':
      return undefined
    case 'typed_data':
      return isListed(reading.contract) && !isPermit(reading) ? within : undefined
    case 'transaction': {
      const call = callOf(reading)
      // What allows somebody to take more later has no worth that could be counted now, and neither has a token.
      if (!isListed(reading.to) || call === 'approval') return undefined
      if (isWorthless(reading, app)) return within
      if (call === 'token' && noPrompt.usdPerDay !== null) return undefined
      return pricedAs(reading)
    }
    default:
      return reading satisfies never
  }
}

const pricedAs = ({ chainId, value, mostFee }: Transaction): Priced => ({
  type: 'priced',
  chainId,
  amount: value + mostFee,
})

/** What names no chain is good on every one. */
const isWorthless = ({ chainId }: Typed | Transaction, { config }: Rules) =>
  chainId !== undefined && config.testNetworks.some((test) => String(test) === chainId)

const permit2 = '0x000000000022d473030f116ddee9f6b43ac78ba3'

/** EIP-2612, its relatives, and Permit2 with all that it witnesses. */
const isPermit = ({ structs, contract }: Typed) =>
  contract?.toLowerCase() === permit2 || structs.some((name) => /permit/i.test(name))

type CallKind = 'none' | 'creation' | 'approval' | 'token' | 'other'

/** By the first four bytes of the data. */
const selectors: Readonly<Record<string, CallKind>> = {
  // approve(address,uint256), increaseAllowance(address,uint256), setApprovalForAll(address,bool)
  '0x095ea7b3': 'approval',
  '0x39509351': 'approval',
  '0xa22cb465': 'approval',
  // permit of EIP-2612, of DAI; approve and both permits of Permit2
  '0xd505accf': 'approval',
  '0x8fcbaf0c': 'approval',
  '0x87517c45': 'approval',
  '0x2b67b570': 'approval',
  '0x2a2d80d1': 'approval',
  // transfer(address,uint256), transferFrom(address,address,uint256)
  '0xa9059cbb': 'token',
  '0x23b872dd': 'token',
  // safeTransferFrom of ERC-721, without and with data; of ERC-1155, one and several
  '0x42842e0e': 'token',
  '0xb88d4fde': 'token',
  '0xf242432a': 'token',
  '0x2eb2c2d6': 'token',
}
const SELECTOR_LENGTH = 2 + 2 * 4

function callOf({ to, data }: Transaction): CallKind {
  if (to === undefined) return 'creation'
  if (data === '0x') return 'none'
  const selector = data.slice(0, SELECTOR_LENGTH)
  return (Object.hasOwn(selectors, selector) ? selectors[selector] : undefined) ?? 'other'
}

const reasonOfCall = {
  creation: 'not_understood',
  approval: 'allowance_or_permit',
  token: 'no_price',
  other: 'not_understood',
} as const satisfies Record<Exclude<CallKind, 'none'>, ConfirmationReason>
