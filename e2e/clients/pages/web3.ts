import { Web3 } from 'web3'
import { findProvider, offer, received, type TypedData } from './client.ts'

const provider = await findProvider()
for (const name of ['accountsChanged', 'chainChanged', 'disconnect']) provider.on(name, received(name))
const web3 = new Web3(provider as never)
const account = async () => {
  const [first] = await web3.eth.getAccounts()
  if (!first) throw new Error('No account is connected')
  return first
}
const domainType = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
]

offer({
  connect: () => web3.eth.requestAccounts(),
  account,
  chainId: async () => Number(await web3.eth.getChainId()),
  signMessage: async (message: string) =>
    web3.eth.personal.sign(web3.utils.utf8ToHex(message), await account(), ''),
  signTypedData: async ({ types, ...data }: TypedData) =>
    web3.eth.signTypedData(await account(), {
      ...data,
      types: { EIP712Domain: domainType, ...types },
    } as never) as Promise<string>,
  async send(to: string, wei: string) {
    const { transactionHash, status } = await web3.eth.sendTransaction({
      from: await account(),
      to,
      value: wei,
    })
    return { hash: String(transactionHash), succeeded: Number(status) === 1 }
  },
  switchChain: (id: number) =>
    provider.request({
      method: 'wallet_switchEthereumChain',
      params: [{ chainId: `0x${id.toString(16)}` }],
    }),
})
