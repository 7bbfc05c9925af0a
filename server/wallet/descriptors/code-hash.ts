/** Identifies the code that a contract runs, so that a descriptor ends when the code changes. */
import { createHash } from 'node:crypto'
import { hex } from '@latchkey/protocol'
import * as v from 'valibot'
import { type ChainNode, callNode } from '../../integrations/chains/chains.ts'

/** Storage slots in which proxies keep the address of their code. */
const implementationSlots = [
  // https://eips.ethereum.org/EIPS/eip-1967
  '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc',
  // OpenZeppelin before EIP-1967: keccak256("org.zeppelinos.proxy.implementation")
  '0x7050c9e0f4ca769c69bd3a8ef740bc37934f8e2c036e5a723fd8ee048ed3f8c3',
]
const beaconSlot = '0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50'
/** `implementation()` of a beacon. */
const beaconCall = '0x5c60da1b'

const addressInWord = /^0x0{24}([0-9a-f]{40})$/i

/**
 * Returns the hash of the contract's code and, for a proxy of EIP-1967, of the code behind it. Returns undefined if
 * there is no code. Throws if the node does not answer.
 */
export async function readCodeHash(
  node: ChainNode,
  address: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const call = async (method: string, params: unknown) => {
    const answer = await callNode(node, { method, params }, signal)
    if ('error' in answer || !v.is(hex, answer.result)) throw new Error(`${method} returned no bytes`)
    return answer.result.toLowerCase()
  }
  const getCode = (of: string) => call('eth_getCode', [of, 'latest'])
  const getAddressAt = async (slot: string) =>
    parseAddress(await call('eth_getStorageAt', [address, slot, 'latest']))
  const [code, beacon, ...implementations] = await Promise.all([
    getCode(address),
    getAddressAt(beaconSlot),
    ...implementationSlots.map(getAddressAt),
  ])
  if (code === '0x') return undefined
  const fromBeacon =
    beacon === undefined
      ? undefined
      : parseAddress(await call('eth_call', [{ to: beacon, data: beaconCall }, 'latest']))
  const behind = [...implementations, fromBeacon].filter((each) => each !== undefined)
  const parts = await Promise.all(behind.map(async (each) => [each, await getCode(each)]))
  return createHash('sha256')
    .update(JSON.stringify([code, beacon ?? null, ...parts]))
    .digest('hex')
}

function parseAddress(word: string): string | undefined {
  const digits = addressInWord.exec(word)?.[1]
  return digits === undefined || /^0+$/.test(digits) ? undefined : `0x${digits}`
}
