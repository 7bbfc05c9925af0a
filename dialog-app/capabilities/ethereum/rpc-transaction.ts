/** Converts JSON-RPC transactions to transaction requests. */
import { LatchkeyError, type TransactionRequest } from '@latchkey/protocol'
import type { RpcTransaction } from '@latchkey/protocol/host'

const kindByType: Readonly<Record<NonNullable<RpcTransaction['type']>, 'legacy' | 'market'>> = {
  '0x0': 'legacy',
  '0x2': 'market',
}

/** `chainId` is the wallet's chain. The caller has already rejected a transaction for another chain. */
export function transactionOf(given: RpcTransaction, chainId: number): TransactionRequest {
  const { to, data, input, gas, gasLimit, type, chainId: _, accessList: __, ...same } = given
  const { gasPrice, maxFeePerGas, maxPriorityFeePerGas } = given
  const kind = type && kindByType[type]
  if (kind === 'legacy' && (maxFeePerGas ?? maxPriorityFeePerGas) !== undefined) {
    throw invalid('A transaction of type 0x0 has no greatest fee')
  }
  if (kind === 'market' && gasPrice !== undefined) throw invalid('A transaction of type 0x2 has no gas price')
  const code = oneOf('data', data, 'input', input, (one, other) => one.toLowerCase() === other.toLowerCase())
  const limit = oneOf('gas', gas, 'gasLimit', gasLimit, (one, other) => BigInt(one) === BigInt(other))
  return {
    ...same,
    chainId,
    ...(to != null && { to }),
    ...(code !== undefined && { data: code }),
    ...(limit !== undefined && { gasLimit: limit }),
  }
}

/** Returns the value of a field with two names. Throws if both are set and differ. */
function oneOf<T>(
  name: string,
  value: T | undefined,
  otherName: string,
  other: T | undefined,
  areSame: (value: T, other: T) => boolean,
): T | undefined {
  if (value !== undefined && other !== undefined && !areSame(value, other)) {
    throw invalid(`${name} and ${otherName} say two things`)
  }
  return value ?? other
}

const invalid = (problem: string) => new LatchkeyError('invalid_data', problem)
