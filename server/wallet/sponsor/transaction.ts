/** The transaction of a relay: `EntryPoint.handleOps` with one operation, and the authorization of its first use. */
import { batchAccount, entryPoint, type UserOperation } from '@latchkey/protocol/wallet'
import type { Hex, PrivateKeyAccount } from 'viem'
import { encodeFunctionData, hexToNumber, keccak256, parseAbi, size, slice } from 'viem/utils'
import { loadOperationEncoder } from '../confirm/confirm.ts'
import { sponsorServerLimits } from './limits.ts'

/** An operation and its signatures: of the operation, and of its authorization if it has one. */
export type SignedOperation = { sender: string; operation: UserOperation; signatures: Hex }

const SIGNATURE_BYTES = 65

/** Returns the signature of the operation, and that of the authorization or undefined. */
export function splitSignatures({ signatures }: Pick<SignedOperation, 'signatures'>) {
  return {
    operation: slice(signatures, 0, SIGNATURE_BYTES),
    authorization: size(signatures) > SIGNATURE_BYTES ? slice(signatures, SIGNATURE_BYTES) : undefined,
  }
}

const abi = parseAbi([
  'struct PackedUserOperation { address sender; uint256 nonce; bytes initCode; bytes callData; bytes32 accountGasLimits; uint256 preVerificationGas; bytes32 gasFees; bytes paymasterAndData; bytes signature; }',
  'function handleOps(PackedUserOperation[] ops, address beneficiary)',
])

/** Returns the call that runs the operation. The beneficiary receives nothing, because the operation has no fees. */
export async function encodeHandleOps(signed: SignedOperation, relay: string): Promise<Hex> {
  const { encodeOperation } = await loadOperationEncoder()
  const { packed } = encodeOperation(signed.operation, signed.sender)
  const operation = { ...packed, signature: splitSignatures(signed).operation }
  return encodeFunctionData({ abi, functionName: 'handleOps', args: [[operation], relay as Hex] })
}

/** Returns a gas limit with which the entry point can give each part of the operation its own limit. */
export function getTransactionGas({ operation }: Pick<SignedOperation, 'operation'>, data: Hex): number {
  const { overheadGas, gasPerByte, authorizationGas } = sponsorServerLimits
  const { verificationGasLimit, callGasLimit, authorizationNonce } = operation
  // A call receives at most 63 of 64 parts of the remaining gas.
  const forCalls = Math.ceil((callGasLimit * 64) / 63)
  const forAuthorization = authorizationNonce === null ? 0 : authorizationGas
  return verificationGasLimit + forCalls + overheadGas + gasPerByte * size(data) + forAuthorization
}

type RelayTransaction = { nonce: number; gas: number; maxFee: bigint; priorityFee: bigint }

export async function signTransaction(
  account: PrivateKeyAccount,
  signed: SignedOperation,
  { nonce, gas, maxFee, priorityFee }: RelayTransaction,
): Promise<{ raw: Hex; hash: Hex }> {
  const { chainId, authorizationNonce } = signed.operation
  const common = {
    chainId,
    nonce,
    gas: BigInt(gas),
    to: entryPoint,
    data: await encodeHandleOps(signed, account.address),
    maxFeePerGas: maxFee,
    maxPriorityFeePerGas: priorityFee,
  } as const
  const { authorization } = splitSignatures(signed)
  const raw =
    authorization === undefined || authorizationNonce === null
      ? await account.signTransaction({ ...common, type: 'eip1559' })
      : await account.signTransaction({
          ...common,
          type: 'eip7702',
          authorizationList: [
            {
              address: batchAccount.address,
              chainId,
              nonce: authorizationNonce,
              ...parseSignature(authorization),
            },
          ],
        })
  return { raw, hash: keccak256(raw) }
}

const WORD_BYTES = 32
const RECOVERY_OFFSET = 27

/** Splits r · s · v. */
const parseSignature = (signature: Hex) => ({
  r: slice(signature, 0, WORD_BYTES),
  s: slice(signature, WORD_BYTES, 2 * WORD_BYTES),
  yParity: hexToNumber(slice(signature, 2 * WORD_BYTES)) - RECOVERY_OFFSET,
})
