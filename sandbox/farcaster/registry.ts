/**
 * The ID registry of Farcaster on the chain of the sandbox, at the address that it has on OP mainnet: who owns an
 * account, and which account an address owns. https://docs.farcaster.xyz/reference/contracts/reference/id-registry
 */

const address = '0x00000000Fc6c5F01Fc30151999387Bb99A9f489b'

/**
 * `idOf(address)` and `custodyOf(uint256)`, each of which returns what is stored under its argument; any other call
 * reverts. An account is a small number and an address is not, so the two share one storage.
 */
const code = `0x${[
  '5f35', // the first word of the call
  '60e01c', // its selector
  '80', // twice
  '63d94fe832', // idOf(address)
  '14', // is it this one
  '90', // and below it the selector once more
  '6365269e47', // custodyOf(uint256)
  '14',
  '17', // or that one
  '601a57', // then to the end
  '5f5ffd', // revert
  '5b', // here
  '600435', // the argument
  '54', // what is stored there
  '5f52', // in memory
  '60205ff3', // and returned
].join('')}`

const word = (hex: string) => `0x${hex.replace(/^0x/, '').padStart(64, '0')}`

export type Registry = {
  /** Makes this address the only owner of the account. */
  register: (fid: number, custody: string) => Promise<void>
}

export type ChainCall = (method: string, ...params: readonly string[]) => Promise<void>

export const chainCalls =
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
      const before = owners.get(fid)
      if (before !== undefined) await call('anvil_setStorageAt', address, word(before), word('0'))
      await call('anvil_setStorageAt', address, word(custody), word(fid.toString(16)))
      await call('anvil_setStorageAt', address, word(fid.toString(16)), word(custody))
      owners.set(fid, custody)
    },
  }
}
