/**
 * Farcaster's ID registry on the sandbox chain, at its OP mainnet address. It maps accounts to owner
 * addresses and back.
 * https://docs.farcaster.xyz/reference/contracts/reference/id-registry
 */

const address = '0x00000000Fc6c5F01Fc30151999387Bb99A9f489b'

/**
 * Bytecode of `idOf(address)` and `custodyOf(uint256)`. Each returns the storage word at its argument; every
 * other call reverts. Account ids are small numbers, so they cannot collide with addresses in the same
 * storage.
 */
const code = `0x${[
  '5f35', // the first word of the call
  '60e01c', // its selector
  '80', // duplicate it
  '63d94fe832', // idOf(address)
  '14', // compare with the selector
  '90', // move the other copy up
  '6365269e47', // custodyOf(uint256)
  '14',
  '17', // or
  '601a57', // on a match, jump to the end
  '5f5ffd', // revert
  '5b', // jump target
  '600435', // the argument
  '54', // load the storage word
  '5f52', // store it in memory
  '60205ff3', // return it
].join('')}`

const word = (hex: string) => `0x${hex.replace(/^0x/, '').padStart(64, '0')}`

export type Registry = {
  /** Makes this address the only owner of the account. */
  register: (fid: number, custody: string) => Promise<void>
}

export type ChainCall = (method: string, ...params: readonly string[]) => Promise<void>

export const createChainCall =
  (chainUrl: string): ChainCall =>
  async (method, ...params) => {
    const response = await fetch(chainUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    const answer = await response.json()
    if ('error' in answer) throw new Error(`${method}: ${JSON.stringify(answer.error)}`)
  }

export async function createRegistry(call: ChainCall): Promise<Registry> {
  const owners = new Map<number, string>()

  await call('anvil_setCode', address, code)
  return {
    async register(fid, custody) {
      const previousOwner = owners.get(fid)
      if (previousOwner !== undefined)
        await call('anvil_setStorageAt', address, word(previousOwner), word('0'))
      await call('anvil_setStorageAt', address, word(custody), word(fid.toString(16)))
      await call('anvil_setStorageAt', address, word(fid.toString(16)), word(custody))
      owners.set(fid, custody)
    },
  }
}
