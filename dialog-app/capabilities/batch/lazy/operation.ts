/** Hashes an operation with the library that hosts use. The vault and the server do the same with code of their own. */
import { batchAccount, type UserOperation } from '@latchkey/protocol/wallet'
import type { Hex } from 'viem'
import { entryPoint08Address, getUserOperationTypedData } from 'viem/account-abstraction'
import {
  concatHex,
  encodeFunctionData,
  hashStruct,
  keccak256,
  numberToHex,
  parseAbi,
  toRlp,
} from 'viem/utils'

const abi = parseAbi(['function executeBatch((address target, uint256 value, bytes data)[] calls)'])

const domainTypes = {
  EIP712Domain: [
    { name: 'name', type: 'string' },
    { name: 'version', type: 'string' },
    { name: 'chainId', type: 'uint256' },
    { name: 'verifyingContract', type: 'address' },
  ],
}

/** Stands in for the signature of the authorization, which no hash contains. */
const unsigned = { r: '0x', s: '0x', yParity: 0 } as const

/** Returns the digest of an operation together with its authorization, which the user approves. */
export function digestOperation(operation: UserOperation, sender: string): Hex {
  const { chainId, nonce, calls, verificationGasLimit, callGasLimit, authorizationNonce, payment } = operation
  const { domain, types, primaryType, message } = getUserOperationTypedData({
    chainId,
    entryPointAddress: entryPoint08Address,
    userOperation: {
      sender: sender as Hex,
      nonce: BigInt(nonce),
      factory: '0x7702',
      factoryData: '0x',
      callData: encodeFunctionData({
        abi,
        args: [calls.map(({ to, value, data }) => ({ target: to, value: BigInt(value), data }))],
      }),
      callGasLimit: BigInt(callGasLimit),
      verificationGasLimit: BigInt(verificationGasLimit),
      preVerificationGas: BigInt(payment?.preVerificationGas ?? 0),
      maxFeePerGas: BigInt(payment?.maxFeePerGas ?? 0),
      maxPriorityFeePerGas: BigInt(payment?.maxPriorityFeePerGas ?? 0),
      ...(payment && {
        paymaster: payment.paymaster,
        paymasterData: payment.paymasterData,
        paymasterVerificationGasLimit: BigInt(payment.paymasterVerificationGasLimit),
        paymasterPostOpGasLimit: BigInt(payment.paymasterPostOpGasLimit),
      }),
      signature: '0x',
      authorization: { address: batchAccount.address, chainId, nonce: authorizationNonce ?? 0, ...unsigned },
    },
  })
  const typedData = [
    '0x1901' as const,
    hashStruct({ data: { ...domain }, primaryType: 'EIP712Domain', types: domainTypes }),
    hashStruct({ data: { ...message }, primaryType, types: { ...types } }),
  ]
  return keccak256(concatHex([...typedData, ...toAuthorization(operation)]))
}

/** https://eips.ethereum.org/EIPS/eip-7702 */
const toAuthorization = ({ chainId, authorizationNonce: nonce }: UserOperation): Hex[] =>
  nonce === null
    ? []
    : ['0x05', toRlp([numberToHex(chainId), batchAccount.address, nonce === 0 ? '0x' : numberToHex(nonce)])]
