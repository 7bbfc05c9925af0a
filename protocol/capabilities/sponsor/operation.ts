/**
 * User operations (ERC-4337, EntryPoint 0.8): several calls of a wallet in one transaction, with fees paid by
 * the operator. The wallet keeps its key and address. An authorization (EIP-7702) lets it run the code of `batchAccount`.
 *
 * A request contains the fields of an operation. Vault and server encode and hash them with separate code, so neither
 * signs a hash of the dialog. The account contract is a constant. An operation has fees only together with the paymaster
 * that pays them.
 */
import * as v from 'valibot'
import { walletSizes } from '../../limits/wallet-sizes.ts'

/** https://github.com/eth-infinitism/account-abstraction/releases/tag/v0.8.0 */
export const entryPoint = '0x4337084d9e255ff0702461cf8895ce9e3b5ff108'

/**
 * `Simple7702Account` of that release. Only the wallet itself and the entry point may call it, and it verifies the
 * signatures of the wallet's own key. It has the same address and code on every chain.
 */
export const batchAccount = {
  address: '0xe6cae83bde06e4c305530e199d7217f42808555b',
  codeHash: '0xcc7b633aef4b2543cb8f37522adf1a401f910f0f6b2430c1eecc11f401ccfcf3',
} as const

/** The code of a wallet that is delegated to the account contract. https://eips.ethereum.org/EIPS/eip-7702 */
export const delegatedCode = `0xef0100${batchAccount.address.slice(2)}`

export const operationLimits = {
  maxCalls: 20,
  /** Gas limits of an operation are below those of a block. */
  maxGas: 100_000_000,
  maxPaymasterBytes: 4_096,
  /** The JSON of the calls. Each byte of data is two characters. */
  maxTextLength: 3 * walletSizes.maxTransactionBytes,
} as const

const MAX_UINT256 = 2n ** 256n - 1n

export const uint256 = v.pipe(
  v.string(),
  v.regex(/^(0|[1-9][0-9]{0,77})$/, 'Not a decimal number'),
  v.check((digits) => BigInt(digits) <= MAX_UINT256, 'Larger than a uint256'),
)
const lowerAddress = v.pipe(
  v.string(),
  v.regex(/^0x[0-9a-f]{40}$/, 'Not an address in lowercase'),
) as v.GenericSchema<`0x${string}`>
const lowerHex = v.pipe(
  v.string(),
  v.maxLength(2 + 2 * walletSizes.maxTransactionBytes),
  v.regex(/^0x([0-9a-f]{2})*$/, 'Not bytes in lowercase hex'),
) as v.GenericSchema<`0x${string}`>
export const count = (min: number, max = Number.MAX_SAFE_INTEGER) =>
  v.pipe(v.number(), v.safeInteger(), v.minValue(min), v.maxValue(max))

export const operationCall = v.strictObject({
  to: lowerAddress,
  /** In the chain's smallest unit. */
  value: uint256,
  data: lowerHex,
})
export type OperationCall = v.InferOutput<typeof operationCall>

/** The calls of an operation, which run in order. If one of them reverts, all of them do. */
export const operationCalls = v.pipe(
  v.array(operationCall),
  v.minLength(1),
  v.maxLength(operationLimits.maxCalls),
)

export const operationChain = count(1)

const MAX_UINT128 = 2n ** 128n - 1n
const fee = v.pipe(
  uint256,
  v.check((digits) => BigInt(digits) <= MAX_UINT128, 'Larger than a uint128'),
)

/** The fees of an operation and the paymaster that pays them: https://eips.ethereum.org/EIPS/eip-7677 */
export const paymentSchema = v.strictObject({
  preVerificationGas: count(0, operationLimits.maxGas),
  maxFeePerGas: fee,
  maxPriorityFeePerGas: fee,
  /** The entry point takes the fees from this contract, never from the wallet. */
  paymaster: v.pipe(
    lowerAddress,
    v.check((address) => !/^0x0{40}$/.test(address), 'The wallet would pay the fees'),
  ),
  paymasterVerificationGasLimit: count(0, operationLimits.maxGas),
  paymasterPostOpGasLimit: count(0, operationLimits.maxGas),
  paymasterData: v.pipe(lowerHex, v.maxLength(2 + 2 * operationLimits.maxPaymasterBytes)),
})
export type Payment = v.InferOutput<typeof paymentSchema>

export const userOperationSchema = v.strictObject({
  /** An authorization without a chain would count on every chain, so the chain is never 0. */
  chainId: operationChain,
  /** The next nonce of the wallet at the entry point. */
  nonce: uint256,
  calls: operationCalls,
  verificationGasLimit: count(0, operationLimits.maxGas),
  callGasLimit: count(0, operationLimits.maxGas),
  /**
   * The account nonce of the authorization, or null if the wallet is delegated already. The authorization names
   * `batchAccount` only.
   */
  authorizationNonce: v.nullable(count(0)),
  /** Absent if a relay of the operator sends the operation, which then has no fees. */
  payment: v.exactOptional(paymentSchema),
})
export type UserOperation = v.InferOutput<typeof userOperationSchema>

const operationText = v.pipe(
  v.string(),
  v.maxLength(operationLimits.maxTextLength),
  v.parseJson(),
  userOperationSchema,
)

/** Parses the JSON of an operation. Throws on unknown fields, because ignoring one would sign something else. */
export const parseUserOperation = (text: string): UserOperation => v.parse(operationText, text)
