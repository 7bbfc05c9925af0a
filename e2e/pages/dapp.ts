/** A dapp of somebody else, which knows nothing of the product: the official client on the relay of the sandbox. */
import { closeClient, openClient } from '../../sandbox/walletconnect/client.ts'

const methods = ['personal_sign', 'eth_signTypedData_v4', 'eth_sendTransaction', 'wallet_switchEthereumChain']
const dappUrl = 'https://market.tides.example'

export type Dapp = Awaited<ReturnType<typeof openDapp>>

export async function openDapp(sandboxUrl: string, as = { name: 'Tide Market', url: dappUrl }) {
  const client = await openClient({
    ...as,
    relayUrl: `${sandboxUrl.replace(/^http/, 'ws')}/walletconnect`,
  })
  const ended: string[] = []
  client.on('session_delete', ({ topic }) => ended.push(topic))
  const session = () => client.session.getAll()[0]

  return {
    /** What its page shows beside the code. */
    async link(chains: readonly string[] = ['eip155:31337']) {
      const { uri = '', approval } = await client.connect({
        optionalNamespaces: {
          [chains[0]?.split(':')[0] ?? '']: { chains: [...chains], methods, events: ['chainChanged'] },
        },
      })
      const approved = approval()
      approved.catch(() => {})
      return { uri, approved }
    },
    session,
    /** Of the address that the wallet has shown. */
    address: () => session()?.namespaces.eip155?.accounts[0]?.split(':').at(-1) as `0x${string}`,
    ask: (method: string, params: readonly unknown[], chainId = 'eip155:31337') => {
      const answer = client.request<`0x${string}`>({
        topic: session()?.topic ?? '',
        chainId,
        request: { method, params },
      })
      answer.catch(() => {})
      return answer
    },
    leave: () =>
      client.disconnect({
        topic: session()?.topic ?? '',
        reason: { code: 6000, message: 'User disconnected.' },
      }),
    /** Topics of the sessions that the wallet has ended. */
    ended: () => ended,
    close: () => closeClient(client),
  }
}
