/** Parses and hashes typed data with viem. The first request with typed data loads this module. */
import { channelLimits, LatchkeyError } from '@latchkey/protocol'
import { domainType, parseTypedData, type TypedData } from '@latchkey/protocol/wallet'
import type { Address, Hex } from 'viem'
import { getAddress, hashMessage, hashTypedData } from 'viem/utils'

export type ReadTypedData = {
  data: TypedData
  /** The parsed data that is shown and signed, as JSON for the vault. */
  json: string
  digest: Hex
}

export function readTypedData(text: string): ReadTypedData {
  const data = parseTypedData(text, { address: checksummed })
  const json = JSON.stringify(data)
  if (new TextEncoder().encode(json).length > channelLimits.maxSignRequestBytes / 2) {
    throw new LatchkeyError('invalid_message', 'The typed data is too long to sign')
  }
  return { data, json, digest: computeDigest(data) }
}

/** Returns the address with a checksum, or undefined if its checksum is wrong. */
function checksummed(written: string): Address | undefined {
  const digits = written.slice(2)
  const right = getAddress(`0x${digits.toLowerCase()}`)
  const hasNoChecksum = digits === digits.toLowerCase() || digits === digits.toUpperCase()
  return hasNoChecksum || right === written ? right : undefined
}

function computeDigest({ types, primaryType, domain, message }: TypedData): Hex {
  // The types of viem are made for literals. This data was parsed strictly.
  const definition = { types, primaryType, domain, message: primaryType === domainType ? {} : message }
  return hashTypedData(definition as unknown as Parameters<typeof hashTypedData>[0])
}

/** EIP-191. */
export const digestOfMessage = (message: string): Hex => hashMessage(message)
