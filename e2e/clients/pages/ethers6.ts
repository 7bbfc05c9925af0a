import { BrowserProvider, Contract } from 'ethers'
import { findProvider, offer, received, type TypedData } from './client.ts'

const provider = await findProvider()
for (const name of ['accountsChanged', 'chainChanged', 'disconnect']) provider.on(name, received(name))
// ethers caches the network unless it is allowed to change.
const browser = new BrowserProvider(provider as never, 'any', { pollingInterval: 250 })
const account = async () => {
  const [first] = await browser.listAccounts()
  if (!first) throw new Error('No account is connected')
  return first.getAddress()
}

offer({
  connect: () => browser.send('eth_requestAccounts', []),
  account,
  chainId: async () => Number((await browser.getNetwork()).chainId),
  signMessage: async (message: string) => (await browser.getSigner()).signMessage(message),
  signTypedData: async ({ domain, types, message }: TypedData) =>
    (await browser.getSigner()).signTypedData(domain, types, message),
  async send(to: string, wei: string) {
    const sent = await (await browser.getSigner()).sendTransaction({ to, value: BigInt(wei) })
    const receipt = await sent.wait()
    return { hash: sent.hash, succeeded: receipt?.status === 1 }
  },
  switchChain: (id: number) =>
    browser.send('wallet_switchEthereumChain', [{ chainId: `0x${id.toString(16)}` }]),
  async listen(address: string) {
    const contract = new Contract(address, ['event Noted(uint256 value)'], browser)
    await contract.on('Noted', (value) => received('Noted')(String(value)))
  },
})
