/**
 * The transaction of a relay: `EntryPoint.handleOps` with one operation, and the authorization of its first use. Or an
 * authorization alone, which changes the delegate of a wallet.
 */
import {
  batchAccount,
  type Delegation,
  entryPoint,
  type Payment,
  type UserOperation,
} from '@latchkey/protocol/wallet'
import type { Hex, PrivateKeyAccount } from 'viem'
import { encodeFunctionData, hexToNumber, keccak256, parseAbi, size, slice } from 'viem/utils'
import { loadDelegationEncoder, loadOperationEncoder } from '../confirm/confirm.ts'
import { sponsorServerLimits } from './limits.ts'

/** An operation and its signatures: of the operation, and of its authorization if it has one. */
export type SignedOperation = { sender: string; operation: UserOperation; signatures: Hex }
/** A change of the delegate, and the signature of its authorization. */
export type SignedDelegation = { sender: string; delegation: Delegation; signatures: Hex }
/** The content of a relay's transaction. */
export type Signed = SignedOperation | SignedDelegation

export const isDelegation = (signed: Signed): signed is SignedDelegation => 'delegation' in signed

/** An operation with a payment. */
export type PaidOperation = UserOperation & { payment: Payment }
export const isPaid = (operation: UserOperation): operation is PaidOperation =>
  operation.payment !== undefined

/** Returns the gas that the paymaster is charged for at most. */
export const getPaidGas = ({ verificationGasLimit, callGasLimit, payment }: PaidOperation): number =>
  verificationGasLimit +
  callGasLimit +
  payment.preVerificationGas +
  payment.paymasterVerificationGasLimit +
  payment.paymasterPostOpGasLimit

const SIGNATURE_BYTES = 65

/** Returns the signature of the operation, and that of the authorization or undefined. */
export function splitSignatures({ signatures }: Pick<SignedOperation, 'signatures'>) {
  return {
    operation: slice(signatures, 0, SIGNATURE_BYTES),
    authorization: size(signatures) > SIGNATURE_BYTES ? slice(signatures, SIGNATURE_BYTES) : undefined,
  }
}

type SignedAuthorization = { chainId: number; address: Hex; nonce: number; signature: Hex }

export function getAuthorization(signed: Signed): SignedAuthorization | undefined {
  if (isDelegation(signed)) {
    const { chainId, delegate, nonce } = signed.delegation
    return { chainId, address: delegate, nonce, signature: signed.signatures }
  }
  const { chainId, authorizationNonce: nonce } = signed.operation
  const { authorization: signature } = splitSignatures(signed)
  return signature === undefined || nonce === null
    ? undefined
    : { chainId, address: batchAccount.address, nonce, signature }
}

export const getChainId = (signed: Signed): number =>
  isDelegation(signed) ? signed.delegation.chainId : signed.operation.chainId

/** A hash with the signature that the wallet must have made of it. */
type SignedHash = { hash: Hex; signature: Hex }

/** Returns the id, and the hashes with their signatures. */
export async function hashSigned(signed: Signed): Promise<{ id: Hex; signatures: SignedHash[] }> {
  if (isDelegation(signed)) {
    const { encodeDelegation } = await loadDelegationEncoder()
    const { authorizationHash: hash } = encodeDelegation(signed.delegation, signed.sender)
    return { id: hash, signatures: [{ hash, signature: signed.signatures }] }
  }
  const { encodeOperation } = await loadOperationEncoder()
  const { hash, authorizationHash } = encodeOperation(signed.operation, signed.sender)
  const { operation, authorization } = splitSignatures(signed)
  return {
    id: hash,
    signatures: [
      { hash, signature: operation },
      ...(authorization ? [{ hash: authorizationHash, signature: authorization }] : []),
    ],
  }
}

const abi = parseAbi([
  'struct PackedUserOperation { address sender; uint256 nonce; bytes initCode; bytes callData; bytes32 accountGasLimits; uint256 preVerificationGas; bytes32 gasFees; bytes paymasterAndData; bytes signature; }',
  'function handleOps(PackedUserOperation[] ops, address beneficiary)',
])

/** The call of the relay's transaction. An authorization alone needs none, so the relay calls itself. */
export async function encodeCall(signed: Signed, relay: string): Promise<{ to: Hex; data: Hex }> {
  if (isDelegation(signed)) return { to: relay as Hex, data: '0x' }
  const { encodeOperation } = await loadOperationEncoder()
  const { packed } = encodeOperation(signed.operation, signed.sender)
  const operation = { ...packed, signature: splitSignatures(signed).operation }
  // The beneficiary receives nothing, because the operation has no fees.
  const args = [[operation], relay as Hex] as const
  return { to: entryPoint, data: encodeFunctionData({ abi, functionName: 'handleOps', args }) }
}

/** Returns a gas limit with which the entry point can give each part of the operation its own limit. */
export function getTransactionGas(signed: Signed, data: Hex): number {
  const { overheadGas, gasPerByte, authorizationGas } = sponsorServerLimits
  const fixedGas = overheadGas + gasPerByte * size(data)
  if (isDelegation(signed)) return fixedGas + authorizationGas
  const { verificationGasLimit, callGasLimit, authorizationNonce } = signed.operation
  // A call receives at most 63 of 64 parts of the remaining gas.
  const forCalls = Math.ceil((callGasLimit * 64) / 63)
  const forAuthorization = authorizationNonce === null ? 0 : authorizationGas
  return fixedGas + verificationGasLimit + forCalls + forAuthorization
}

type RelayTransaction = { nonce: number; gas: number; maxFee: bigint; priorityFee: bigint }

export async function signTransaction(
  account: PrivateKeyAccount,
  signed: Signed,
  { nonce, gas, maxFee, priorityFee }: RelayTransaction,
): Promise<{ raw: Hex; hash: Hex }> {
  const common = {
    chainId: getChainId(signed),
    nonce,
    gas: BigInt(gas),
    ...(await encodeCall(signed, account.address)),
    maxFeePerGas: maxFee,
    maxPriorityFeePerGas: priorityFee,
  } as const
  const authorization = getAuthorization(signed)
  const raw =
    authorization === undefined
      ? await account.signTransaction({ ...common, type: 'eip1559' })
      : await account.signTransaction({
          ...common,
          type: 'eip7702',
          authorizationList: [{ ...authorization, ...parseSignature(authorization.signature) }],
        })
  return { raw, hash: keccak256(raw) }
}

const WORD_BYTES = 32
const RECOVERY_OFFSET = 27

/** Splits r · s · v. */
export const parseSignature = (signature: Hex) => ({
  r: slice(signature, 0, WORD_BYTES),
  s: slice(signature, WORD_BYTES, 2 * WORD_BYTES),
  yParity: hexToNumber(slice(signature, 2 * WORD_BYTES)) - RECOVERY_OFFSET,
})
