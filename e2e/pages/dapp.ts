/** An independent dapp: the official WalletConnect client on the sandbox relay. */
import { SignClient } from '@walletconnect/sign-client'

type Client = InstanceType<typeof SignClient>
type Storage = NonNullable<NonNullable<Parameters<typeof SignClient.init>[0]>['storage']>

const methods = ['personal_sign', 'eth_signTypedData_v4', 'eth_sendTransaction', 'wallet_switchEthereumChain']
const projectId = '0123456789abcdef0123456789abcdef'
const dappUrl = 'https://market.tides.example'
let clientCount = 0

export type Dapp = Awaited<ReturnType<typeof openDapp>>

export async function openDapp(sandboxUrl: string, as = { name: 'Tide Market', url: dappUrl }) {
  clientCount += 1
  const client: Client = await SignClient.init({
    projectId,
    relayUrl: `${sandboxUrl.replace(/^http/, 'ws')}/walletconnect`,
    metadata: { ...as, description: '', icons: [] },
    storage: createMemory(),
    telemetryEnabled: false,
    logger: 'silent',
    customStoragePrefix: `e2e-dapp-${clientCount}`,
  })
  client.core.verify.register = async () => ''
  client.core.relayer.messages.getWithoutAck = () => ({})
  const ended: string[] = []
  client.on('session_delete', ({ topic }) => ended.push(topic))
  const session = () => client.session.getAll()[0]

  return {
    /** Returns the pairing link that the dapp shows beside the QR code. */
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
    /** Returns the address that the wallet shared. */
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
    /** Returns the topics of the sessions that the wallet ended. */
    ended: () => ended,
    async close() {
      client.core.heartbeat.stop()
      await client.core.relayer.transportClose()
    },
  }
}

function createMemory(): Storage {
  const entries = new Map<string, string>()
  return {
    getKeys: async () => [...entries.keys()],
    getEntries: async () => [...entries].map(([key, value]) => [key, JSON.parse(value)]),
    getItem: async (key) => JSON.parse(entries.get(key) ?? 'null') ?? undefined,
    setItem: async (key, value) => void entries.set(key, JSON.stringify(value)),
    removeItem: async (key) => void entries.delete(key),
  }
}
