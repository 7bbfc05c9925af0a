/**
 * EntryPoint 0.8 (ERC-4337) and its `Simple7702Account` at the addresses that they have on every network. The
 * deterministic deployer, which anvil has, derives an address from the code, so a wrong code cannot get it.
 */
import entryPoint from '@account-abstraction/contracts/artifacts/EntryPoint.json' with { type: 'json' }
import account from '@account-abstraction/contracts/artifacts/Simple7702Account.json' with { type: 'json' }
import type { RpcClient } from './page.ts'

const deployer = '0x4e59b44847b379578588920ca78fbf26c0b4956c'
/** The last of anvil's accounts. It also pays the fees of users. */
const payer = '0xa0ee7a142d267c1f36714e4a8f75612f20a79720'

/** https://github.com/eth-infinitism/account-abstraction/releases/tag/v0.8.0 */
const contracts = [
  {
    name: 'EntryPoint',
    bytecode: entryPoint.bytecode,
    address: '0x4337084d9e255ff0702461cf8895ce9e3b5ff108',
    salt: '0a59dbff790c23c976a548690c27297883cc66b4c67024f9117b0238995e35e9',
  },
  {
    name: 'Simple7702Account',
    bytecode: account.bytecode,
    address: '0xe6cae83bde06e4c305530e199d7217f42808555b',
    salt: '0'.repeat(64),
  },
]

/** Deploys the contracts. A restarted chain may have them already. */
export async function deployAccountContracts(rpc: RpcClient): Promise<void> {
  for (const { name, bytecode, address, salt } of contracts) {
    // Returns once the transaction is in a block; `eth_sendTransaction` returns earlier on a busy machine.
    await rpc('eth_sendTransactionSync', {
      from: payer,
      to: deployer,
      gas: '0xb71b00',
      data: `0x${salt}${bytecode.slice(2)}`,
    })
    if ((await rpc('eth_getCode', address, 'latest')) === '0x') throw new Error(`${name} was not deployed`)
  }
}
