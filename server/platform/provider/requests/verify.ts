/** Verifies that a response is the wallet's signature over exactly the request. */
import { isSameAddress, LatchkeyError } from '@latchkey/protocol'
import type { SignableRequest } from '@latchkey/protocol/wallet'
import type { Hex } from 'viem'
import { keccak256, parseTransaction, recoverAddress, serializeTransaction } from 'viem/utils'
import { loadRequestReader } from '../../../wallet/confirm/confirm.ts'

type Signed = { request: SignableRequest; address: string; data: string }

const notSigned = () =>
  new LatchkeyError('invalid_data', 'This is not the connected wallet’s signature over this request', {
    details: { path: 'answer.data' },
  })

/** 65 bytes: r, s and v. */
const signature = /^0x[0-9a-f]{128}(1b|1c)$/i

export async function assertSigned({ request, address, data }: Signed): Promise<void> {
  const { readRequest } = await loadRequestReader()
  const { digest } = readRequest(request, address)
  const hash = asHex(digest)
  if (request.method === 'eth_signTransaction')
    return assertSignedTransaction(request.params[0], address, data)
  if (!signature.test(data)) throw notSigned()
  const signer = await recovered(() => recoverAddress({ hash, signature: asHex(data) }))
  if (!isSameAddress(signer, address)) throw notSigned()
}

/** Verifies that the transaction is unchanged apart from the signature. */
async function assertSignedTransaction(unsigned: string, address: string, data: string): Promise<void> {
  const signed = asHex(data)
  const hash = keccak256(asHex(unsigned))
  const signer = await recovered(() => {
    const parsed = parseTransaction(signed)
    const { r, s, v: recovery, yParity: parity, ...transaction } = parsed
    // Legacy transactions encode the parity and the chain id in `v`.
    const yParity = parity ?? (recovery === undefined ? undefined : Number((recovery + 1n) % 2n))
    if (r === undefined || s === undefined || yParity === undefined) throw notSigned()
    const signature = recovery === undefined ? { r, s, yParity } : { r, s, yParity, v: recovery }
    const isWhole = serializeTransaction(transaction, signature) === signed
    if (!isWhole || serializeTransaction(transaction) !== asHex(unsigned)) throw notSigned()
    return recoverAddress({ hash, signature: { r, s, yParity } })
  })
  if (!isSameAddress(signer, address)) throw notSigned()
}

/** Replaces viem's errors, which describe its own functions. */
async function recovered(recover: () => Promise<string>): Promise<string> {
  try {
    return await recover()
  } catch {
    throw notSigned()
  }
}

/** Returns the chain id and the hash of a signed transaction. */
export function namedBySigned(data: string): {
  chainId: string
  hash: Hex
  signed: Hex
} {
  const signed = asHex(data)
  return { chainId: String(parseTransaction(signed).chainId), hash: keccak256(signed), signed }
}

const asHex = (text: string): Hex => `0x${text.slice(2).toLowerCase()}`
