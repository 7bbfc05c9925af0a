import { BrowserProvider } from 'ethers'
import { SiweMessage } from 'siwe'
import { findProvider, offer } from './client.ts'

const browser = new BrowserProvider((await findProvider()) as never, 'any')
const unused = () => Promise.reject(new Error('The siwe page signs only sign-in messages'))

offer({
  connect: () => browser.send('eth_requestAccounts', []),
  account: async () => (await browser.getSigner()).getAddress(),
  chainId: async () => Number((await browser.getNetwork()).chainId),
  signMessage: unused,
  signTypedData: unused,
  send: unused,
  switchChain: unused,
  async signIn() {
    const signer = await browser.getSigner()
    const message = new SiweMessage({
      domain: location.host,
      address: await signer.getAddress(),
      statement: 'Read the field notes.',
      uri: location.origin,
      version: '1',
      chainId: Number((await browser.getNetwork()).chainId),
    }).prepareMessage()
    const signature = await signer.signMessage(message)
    const { success, data } = await new SiweMessage(message).verify({ signature, domain: location.host })
    return { success, address: data.address }
  },
})
