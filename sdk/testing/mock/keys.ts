/** Keys and ids that follow from a text, so that the same options give the same ones in every run. They guard nothing. */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

/** 32 bytes that are a secret key of any curve that the mock uses. */
export const keyFrom = (text: string): Uint8Array => sha256(utf8ToBytes(`latchkey mock: ${text}`))

export const hexOf = (bytes: Uint8Array): `0x${string}` => `0x${bytesToHex(bytes)}`

export const idFrom = (text: string): string => bytesToHex(keyFrom(text)).slice(0, 24)
