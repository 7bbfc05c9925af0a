/** Keys and ids derived from a text, so that they are the same in every run. They protect nothing. */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

/** Returns 32 bytes, which are a valid secret key for every curve of the mock. */
export const keyFrom = (text: string): Uint8Array => sha256(utf8ToBytes(`latchkey mock: ${text}`))

export const toHex = (bytes: Uint8Array): `0x${string}` => `0x${bytesToHex(bytes)}`

export const idFrom = (text: string): string => bytesToHex(keyFrom(text)).slice(0, 24)
