/**
 * The bytes of a user operation that a wallet signs. The confirmation page computes its digest from them, and needs no
 * curves for that.
 */
import { LatchkeyError } from '@latchkey/protocol'
import {
  batchAccount,
  entryPoint,
  type OperationCall,
  type Payment,
  parseUserOperation,
  type TypedData,
  type UserOperation,
} from '@latchkey/protocol/wallet'
import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js'
import { authorizationBytes } from './delegation-bytes.ts'
import { typedDataBytes } from './typed-data.ts'

/** Parses the JSON of an operation. Throws if the vault would refuse to sign it. */
export function readUserOperation(text: string): UserOperation {
  try {
    return parseUserOperation(text)
  } catch (cause) {
    throw new LatchkeyError('invalid_request_arguments', 'The operation cannot be signed', { cause })
  }
}

/** The version, the domain hash and the struct hash: https://eips.ethereum.org/EIPS/eip-712 */
export const TYPED_DATA_BYTES = 2 + 32 + 32

/** Returns the signed bytes: the typed data, then the authorization. */
export function userOperationBytes(operation: UserOperation, sender: string): Uint8Array {
  const { chainId, authorizationNonce } = operation
  const typedData = typedDataBytes(toTypedData(operation, sender))
  return authorizationNonce === null
    ? typedData
    : concatBytes(typedData, authorizationBytes(chainId, batchAccount.address, authorizationNonce))
}

/** The operation as `EntryPoint.getUserOpHash` hashes it. `initCode` is the contract that the wallet must run. */
const toTypedData = (
  { chainId, nonce, calls, verificationGasLimit, callGasLimit, payment }: UserOperation,
  sender: string,
): TypedData => ({
  types: {
    EIP712Domain: [
      { name: 'name', type: 'string' },
      { name: 'version', type: 'string' },
      { name: 'chainId', type: 'uint256' },
      { name: 'verifyingContract', type: 'address' },
    ],
    PackedUserOperation: [
      { name: 'sender', type: 'address' },
      { name: 'nonce', type: 'uint256' },
      { name: 'initCode', type: 'bytes' },
      { name: 'callData', type: 'bytes' },
      { name: 'accountGasLimits', type: 'bytes32' },
      { name: 'preVerificationGas', type: 'uint256' },
      { name: 'gasFees', type: 'bytes32' },
      { name: 'paymasterAndData', type: 'bytes' },
    ],
  },
  primaryType: 'PackedUserOperation',
  domain: { name: 'ERC4337', version: '1', chainId: String(chainId), verifyingContract: entryPoint },
  message: {
    sender,
    nonce,
    initCode: batchAccount.address,
    callData: `0x${bytesToHex(encodeExecuteBatch(calls))}`,
    accountGasLimits: `0x${toHalfWord(verificationGasLimit)}${toHalfWord(callGasLimit)}`,
    preVerificationGas: String(payment?.preVerificationGas ?? 0),
    gasFees: `0x${toHalfWord(payment?.maxPriorityFeePerGas ?? 0)}${toHalfWord(payment?.maxFeePerGas ?? 0)}`,
    paymasterAndData: payment === undefined ? '0x' : encodePaymaster(payment),
  },
})

/** https://eips.ethereum.org/EIPS/eip-4337: the paymaster, its two gas limits and its data. */
const encodePaymaster = (payment: Payment) =>
  payment.paymaster +
  toHalfWord(payment.paymasterVerificationGasLimit) +
  toHalfWord(payment.paymasterPostOpGasLimit) +
  payment.paymasterData.slice(2)

const toHalfWord = (value: number | string) => BigInt(value).toString(16).padStart(32, '0')

const WORD_BYTES = 32
/** `executeBatch((address,uint256,bytes)[])` */
const executeBatchSelector = hexToBytes('34fcd5be')

/** https://docs.soliditylang.org/en/latest/abi-spec.html */
function encodeExecuteBatch(calls: OperationCall[]): Uint8Array {
  const tuples = calls.map(encodeCall)
  let offset = tuples.length * WORD_BYTES
  const offsets = tuples.map(({ length }) => {
    offset += length
    return word(BigInt(offset - length))
  })
  return concatBytes(executeBatchSelector, word(32n), word(BigInt(tuples.length)), ...offsets, ...tuples)
}

/** The place of the data in its tuple, after the recipient, the value and this offset. */
const DATA_OFFSET = 96n

function encodeCall({ to, value, data }: OperationCall): Uint8Array {
  const bytes = hexToBytes(data.slice(2))
  const padding = new Uint8Array((WORD_BYTES - (bytes.length % WORD_BYTES)) % WORD_BYTES)
  return concatBytes(
    word(BigInt(to)),
    word(BigInt(value)),
    word(DATA_OFFSET),
    word(BigInt(bytes.length)),
    bytes,
    padding,
  )
}

const word = (value: bigint) => hexToBytes(value.toString(16).padStart(2 * WORD_BYTES, '0'))
