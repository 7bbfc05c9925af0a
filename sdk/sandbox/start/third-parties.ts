/** Controls for tests: failures of third parties, and the sandbox chain. */

/**
 * Sets how third parties fail, by name: `{ smtp: 'stall' }`. `none` restores one. An unknown name rejects with
 * the list of all.
 */
export async function setFaults(sandboxUrl: string, faults: Readonly<Record<string, string>>): Promise<void> {
  const answer = await fetch(`${sandboxUrl}/api/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(faults),
  })
  if (!answer.ok) throw new Error(`The sandbox responded with ${answer.status}: ${await answer.text()}`)
}

export type Chain = {
  balance: (address: string) => Promise<bigint>
  setBalance: (address: string, wei: bigint) => Promise<void>
  /** Mines blocks immediately. */
  mine: (blocks?: number) => Promise<void>
  /** Turns automatic mining on or off. If off, transactions wait for `mine()`. Initially on. */
  automine: (isOn: boolean) => Promise<void>
}

export function chainAt(url: string): Chain {
  let id = 0
  const call = async (method: string, ...params: unknown[]): Promise<unknown> => {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params }),
    })
    const { result, error } = (await answer.json()) as Answer
    if (error) throw new Error(`${method}: ${error.message}`)
    return result
  }
  const hex = (value: bigint | number) => `0x${value.toString(16)}`
  return {
    balance: async (address) => BigInt(String(await call('eth_getBalance', address, 'latest'))),
    async setBalance(address, wei) {
      await call('anvil_setBalance', address, hex(wei))
    },
    async mine(blocks = 1) {
      await call('anvil_mine', hex(blocks))
    },
    async automine(isOn) {
      await call('evm_setAutomine', isOn)
    },
  }
}
type Answer = { result?: unknown; error?: { message: string } }
