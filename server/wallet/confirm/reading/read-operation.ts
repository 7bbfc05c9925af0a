/**
 * Encodes and hashes a user operation of EntryPoint 0.8, with the library that hosts use. The vault does the same with
 * code of its own. https://eips.ethereum.org/EIPS/eip-4337
 */
import { LatchkeyError } from '@latchkey/protocol'
import {
  batchAccount,
  entryPoint,
  type Payment,
  parseUserOperation,
  type UserOperation,
} from '@latchkey/protocol/wallet'
import type { Hex } from 'viem'
import { concatHex, encodeFunctionData, hashStruct, keccak256, numberToHex, parseAbi } from 'viem/utils'
import { encodeAuthorization } from './read-delegation.ts'
import type { Reading } from './reading.ts'

export function readOperation(text: string, shown: string, sender: string): Reading {
  const operation = readFields(text)
  const { digest } = encodeOperation(operation, sender)
  if (digest !== shown.toLowerCase()) {
    throw new LatchkeyError('invalid_data', 'The operation does not match the displayed hash', {
      details: { path: 'params' },
    })
  }
  const chainId = String(operation.chainId)
  return {
    kind: 'operation',
    digest,
    chainId,
    authorizes: operation.authorizationNonce !== null,
    ...(operation.payment && { paymaster: operation.payment.paymaster }),
    calls: operation.calls.map(({ to, value, data }) => ({
      chainId,
      to,
      value: BigInt(value),
      data,
      mostFee: 0n,
    })),
  }
}

function readFields(text: string): UserOperation {
  try {
    return parseUserOperation(text)
  } catch (cause) {
    throw new LatchkeyError('invalid_data', 'The operation cannot be parsed', {
      details: { path: 'params' },
      cause,
    })
  }
}

const domainTypes = {
  EIP712Domain: [
    { name: 'name', type: 'string' },
    { name: 'version', type: 'string' },
    { name: 'chainId', type: 'uint256' },
    { name: 'verifyingContract', type: 'address' },
  ],
}
const operationTypes = {
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
}

const accountAbi = parseAbi(['function executeBatch((address target, uint256 value, bytes data)[] calls)'])

export const encodeBatch = (calls: UserOperation['calls']): Hex =>
  encodeFunctionData({
    abi: accountAbi,
    args: [calls.map(({ to, value, data }) => ({ target: to, value: BigInt(value), data }))],
  })

/** Marks a wallet that runs the code of its authorization. The signed `initCode` is the address of that code. */
const delegatedInitCode: Hex = `0x7702${'0'.repeat(36)}`
const halfWord = (value: number | string) => numberToHex(BigInt(value), { size: 16 })

const encodePaymaster = (payment: Payment): Hex =>
  concatHex([
    payment.paymaster,
    halfWord(payment.paymasterVerificationGasLimit),
    halfWord(payment.paymasterPostOpGasLimit),
    payment.paymasterData,
  ])

export function encodeOperation(operation: UserOperation, sender: string) {
  const { chainId, nonce, calls, verificationGasLimit, callGasLimit, authorizationNonce, payment } = operation
  const packed = {
    sender: sender as Hex,
    nonce: BigInt(nonce),
    callData: encodeBatch(calls),
    accountGasLimits: concatHex([halfWord(verificationGasLimit), halfWord(callGasLimit)]),
    preVerificationGas: BigInt(payment?.preVerificationGas ?? 0),
    gasFees: concatHex([halfWord(payment?.maxPriorityFeePerGas ?? 0), halfWord(payment?.maxFeePerGas ?? 0)]),
    paymasterAndData: payment ? encodePaymaster(payment) : ('0x' as Hex),
  }
  const domain = { name: 'ERC4337', version: '1', chainId, verifyingContract: entryPoint } as const
  const typedData = concatHex([
    '0x1901',
    hashStruct({ data: domain, primaryType: 'EIP712Domain', types: domainTypes }),
    hashStruct({
      data: { ...packed, initCode: batchAccount.address },
      primaryType: 'PackedUserOperation',
      types: operationTypes,
    }),
  ])
  const authorization =
    authorizationNonce === null
      ? '0x'
      : encodeAuthorization(chainId, batchAccount.address, authorizationNonce)
  return {
    /** The operation as the entry point receives it, without its signature. */
    packed: { ...packed, initCode: delegatedInitCode },
    /** The hash that the wallet signs, and by which the entry point identifies the operation. */
    hash: keccak256(typedData),
    authorizationHash: keccak256(authorization),
    /** Identifies the request: the operation together with its authorization. */
    digest: keccak256(concatHex([typedData, authorization])),
  }
}
