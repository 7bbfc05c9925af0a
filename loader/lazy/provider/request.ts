/** Parses a page's provider request into data that can be sent to the dialog. */
import { type EthereumMethodRow, explainMissingMethod, getEthereumMethod } from '@latchkey/protocol/host'
import { ProviderError } from './error.ts'

export type Request = {
  method: string
  params: readonly unknown[]
}

export function readMethod(args: unknown): string {
  const { method } = Object(args)
  if (typeof method !== 'string' || method === '')
    throw new ProviderError(-32_600, 'A request must have a method')
  return method
}

export function methodRow(method: string): EthereumMethodRow {
  const row = getEthereumMethod(method)
  if (row) return row
  const { code, message } = explainMissingMethod(method)
  throw new ProviderError(code, message)
}

const signingMethods: readonly string[] = [
  'personal_sign',
  'eth_signTypedData_v4',
  'eth_signTransaction',
  'eth_sendTransaction',
]
export const isSigningMethod = (method: string) => signingMethods.includes(method)

export function readParams(args: unknown): readonly unknown[] {
  const { params } = Object(args)
  if (params === undefined || params === null) return []
  // Named params: no listed method has any.
  if (!Array.isArray(params)) throw new ProviderError(-32_602, 'Params must be an array')
  try {
    return JSON.parse(JSON.stringify(params, asJson))
  } catch (cause) {
    throw new ProviderError(-32_602, 'Params must be serializable as JSON', { cause })
  }
}

/**
 * Converts bigints to hex, as amounts are in JSON-RPC. Reads the original value from `this`, because the page
 * may have defined `BigInt.prototype.toJSON`.
 */
function asJson(this: unknown, name: string, value: unknown) {
  const own: unknown = Reflect.get(Object(this), name)
  if (typeof own !== 'bigint') return value
  return own < 0n ? String(own) : `0x${own.toString(16)}`
}
