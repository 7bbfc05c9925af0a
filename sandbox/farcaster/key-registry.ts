/**
 * Farcaster's key registry on the sandbox chain, at its OP mainnet address: the signer keys of each account.
 * https://docs.farcaster.xyz/reference/contracts/reference/key-registry
 */
import type { ChainCall } from './registry.ts'

const address = '0x00000000Fc1237824fb747aBDE0FF18990E59b7e'

/**
 * Bytecode of `keyDataOf(uint256,bytes)`. It returns the storage word at key XOR account, and the ed25519 key
 * type. Every other call reverts.
 */
const code = `0x${[
  '5f35', // the first word of the call
  '60e01c', // its selector
  '63ac34cc5a', // keyDataOf(uint256,bytes)
  '14', // compare with the selector
  '6011', // on a match, jump to the end
  '57',
  '5f5ffd', // revert
  '5b', // jump target
  '600435', // the account
  '606435', // the key: the bytes follow their offset and length
  '18',
  '54', // load the storage word
  '5f52', // store it in memory
  '6001602052', // add the key type
  '60405ff3', // return both
].join('')}`

const states = { added: 1, removed: 2 } as const
const word = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`

export type KeyRegistry = {
  /** Sets the state of a key. A removed key stays removed. */
  set: (fid: number, key: string, state: keyof typeof states) => Promise<void>
}

export async function createKeyRegistry(call: ChainCall): Promise<KeyRegistry> {
  await call('anvil_setCode', address, code)
  return {
    set: (fid, key, state) =>
      call('anvil_setStorageAt', address, word(BigInt(key) ^ BigInt(fid)), word(BigInt(states[state]))),
  }
}
