import { createPublicClient, createWalletClient, custom, type Hex, parseAbi } from 'viem'
import { anvil } from 'viem/chains'
import { findProvider, offer, received, type TypedData } from './client.ts'

const provider = await findProvider()
for (const name of ['accountsChanged', 'chainChanged', 'disconnect']) provider.on(name, received(name))
const client = createWalletClient({ chain: anvil, transport: custom(provider) })
const reader = createPublicClient({ chain: anvil, transport: custom(provider) })
const account = async () => {
  const [address] = await client.getAddresses()
  if (!address) throw new Error('No account is connected')
  return address
}

offer({
  connect: () => client.requestAddresses(),
  account,
  chainId: () => client.getChainId(),
  signMessage: async (message: string) => client.signMessage({ account: await account(), message }),
  signTypedData: async (data: TypedData) =>
    client.signTypedData({ account: await account(), ...data } as never),
  async send(to: string, wei: string) {
    const hash = await client.sendTransaction({ account: await account(), to: to as Hex, value: BigInt(wei) })
    const { status } = await reader.waitForTransactionReceipt({ hash })
    return { hash, succeeded: status === 'success' }
  },
  switchChain: (id: number) => client.switchChain({ id }),
  read: (address: Hex) =>
    reader.readContract({
      address,
      abi: parseAbi(['function value() view returns (uint256)']),
      functionName: 'value',
    }),
  badParams: () => provider.request({ method: 'eth_getBalance', params: ['nobody'] }),
  getBalanceOf: (address: string) => reader.getBalance({ address: address as Hex }).then(String),
  async filter(address: Hex) {
    const filter = await reader.createEventFilter({ address })
    const changes = await reader.getFilterChanges({ filter })
    return { changes: changes.length, uninstalled: await reader.uninstallFilter({ filter }) }
  },
  sendCalls: async () =>
    client.sendCalls({
      account: await account(),
      calls: [{ to: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', value: 1n }],
      experimental_fallback: true,
    }),
})
