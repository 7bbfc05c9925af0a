/**
 * The key registry of Farcaster on the chain of the sandbox, at the address that it has on OP mainnet: which keys write
 * for an account. https://docs.farcaster.xyz/reference/contracts/reference/key-registry
 */
import type { ChainCall } from './registry.ts'

const address = '0x00000000Fc1237824fb747aBDE0FF18990E59b7e'

/**
 * `keyDataOf(uint256,bytes)`, which returns what is stored under the key and the account, one XOR the other, and that
 * the key is of ed25519; any other call reverts.
 */
const code = `0x${[
  '5f35', // the first word of the call
  '60e01c', // its selector
  '63ac34cc5a', // keyDataOf(uint256,bytes)
  '14', // is it this one
  '6011', // then to the end
  '57',
  '5f5ffd', // revert
  '5b', // here
  '600435', // the account
  '606435', // the key: the bytes begin after their place and their length
  '18',
  '54', // what is stored there
  '5f52', // in memory
  '6001602052', // and the type of the key
  '60405ff3', // both are returned
].join('')}`

const states = { added: 1, removed: 2 } as const
const word = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`

export type KeyRegistry = {
  /** A key that was removed stays so. */
  set: (fid: number, key: string, state: keyof typeof states) => Promise<void>
}

export async function createKeyRegistry(call: ChainCall): Promise<KeyRegistry> {
  await call('anvil_setCode', address, code)
  return {
    set: (fid, key, state) =>
      call('anvil_setStorageAt', address, word(BigInt(key) ^ BigInt(fid)), word(BigInt(states[state]))),
  }
}
