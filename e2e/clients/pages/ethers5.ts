import { Contract, ethers } from 'ethers5'
import { findProvider, offer, received, type TypedData } from './client.ts'

const provider = await findProvider()
for (const name of ['accountsChanged', 'chainChanged', 'disconnect']) provider.on(name, received(name))
const browser = new ethers.providers.Web3Provider(provider as never, 'any')
browser.pollingInterval = 250
const signer = browser.getSigner()

offer({
  connect: () => browser.send('eth_requestAccounts', []),
  account: () => signer.getAddress(),
  chainId: async () => (await browser.getNetwork()).chainId,
  signMessage: (message: string) => signer.signMessage(message),
  signTypedData: ({ domain, types, message }: TypedData) => signer._signTypedData(domain, types, message),
  async send(to: string, wei: string) {
    const sent = await signer.sendTransaction({ to, value: wei })
    const { status } = await sent.wait()
    return { hash: sent.hash, succeeded: status === 1 }
  },
  switchChain: (id: number) =>
    browser.send('wallet_switchEthereumChain', [{ chainId: `0x${id.toString(16)}` }]),
  async listen(address: string) {
    const contract = new Contract(address, ['event Noted(uint256 value)'], browser)
    contract.on('Noted', (value) => received('Noted')(String(value)))
  },
})
