/** Reads typed data and hashes what is signed, by the library that hosts use. It comes with the first such request. */
import { channelLimits, LatchkeyError } from '@latchkey/protocol'
import { domainType, parseTypedData, type TypedData } from '@latchkey/protocol/wallet'
import type { Address, Hex } from 'viem'
import { getAddress, hashMessage, hashTypedData } from 'viem/utils'

export type ReadTypedData = {
  data: TypedData
  /** What the vault is given: what is shown, and nothing else. */
  json: string
  digest: Hex
}

export function readTypedData(text: string): ReadTypedData {
  const data = parseTypedData(text, { address: checksummed })
  const json = JSON.stringify(data)
  if (new TextEncoder().encode(json).length > channelLimits.maxSignRequestBytes / 2) {
    throw new LatchkeyError('invalid_message', 'The typed data is too long to sign')
  }
  return { data, json, digest: hashOf(data) }
}

/** Undefined where its letters say that a digit is wrong. */
function checksummed(written: string): Address | undefined {
  const digits = written.slice(2)
  const right = getAddress(`0x${digits.toLowerCase()}`)
  const saysNothing = digits === digits.toLowerCase() || digits === digits.toUpperCase()
  return saysNothing || right === written ? right : undefined
}

function hashOf({ types, primaryType, domain, message }: TypedData): Hex {
  // The types of the library are made for literals; what comes here was read to the letter.
  const given = { types, primaryType, domain, message: primaryType === domainType ? {} : message }
  return hashTypedData(given as unknown as Parameters<typeof hashTypedData>[0])
}

/** EIP-191. */
export const digestOfMessage = (message: string): Hex => hashMessage(message)
