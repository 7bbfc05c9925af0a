/** The host calls that sign messages, Solana transactions and typed data. */
import { findEmbeddedWallet, LatchkeyError, type SolanaCluster, solanaClusters } from '@latchkey/protocol'
import type { CrossAppRequest } from '@latchkey/protocol/api'
import { signCalls } from '@latchkey/protocol/host'
import { writeSolanaSignIn } from '@latchkey/protocol/wallet'
import type { Fetch } from '../../chains/rpc.ts'
import type { CapabilityPorts } from '../../contract/capability.ts'
import { type AskedOfApp, meansAnother } from '../../contract/connected-wallets.ts'
import { createUserFlows } from '../../contract/user-flows.ts'
import type { ServedHostCalls } from '../../host/host-calls.ts'
import { requireUser } from '../../host/require-user.ts'
import type { Settings } from '../../host/settings.ts'
import { checkedMessage, readMessage } from './message.ts'
import { createSignCall } from './sign-call.ts'
import { blockedError, readRequest, type Signed, type SignRequest, type ToSign } from './to-sign.ts'

export function createSigning(
  ports: CapabilityPorts,
  fetch: Fetch = (...call) => globalThis.fetch(...call),
): ServedHostCalls<keyof typeof signCalls> {
  const begin = createUserFlows(ports)

  async function sign(request: SignRequest, signal: AbortSignal): Promise<Signed> {
    const toSign = await readRequest(ports, request)
    return begin(createSignCall(ports, request, toSign), signal)
  }

  /** Signs with the connected wallet of this address, or with the wallet of the user. */
  async function signBy(
    address: string | undefined,
    request: SignRequest,
    signal: AbortSignal,
  ): Promise<Signed> {
    if (address === undefined || !(await meansAnother(ports, address, { signal }))) {
      return sign(request, signal)
    }
    await ports.connectedWallets.find(address, { signal })
    const toSign = await readRequest(ports, request)
    // The provider checks the chain. A login at another site is blocked here.
    if (toSign.blocked?.kind === 'sign-in') {
      ports.analytics('possible_phishing_attempt')
      throw blockedError(toSign.blocked)
    }
    return { signature: await ports.connectedWallets.ask(toAppRequest(toSign, address), { signal }), address }
  }
  return {
    rows: signCalls,
    handlers: {
      signMessage: async ({ message, address, ...options }, { signal, relayed }) =>
        signBy(address, { ...readMessage(message), relayed, ...options }, signal),
      signSolanaMessage: async ({ message, ...options }, { signal }) =>
        sign({ kind: 'message', chain: 'solana', message: checkedMessage(message), ...options }, signal),
      async signInSolana({ fields: { address: asked, ...input }, ...options }, { signal }) {
        const account = findEmbeddedWallet(await requireUser(ports, { signal }), 'solana')
        if (!account) throw new LatchkeyError('embedded_wallet_not_found', 'The user has no Solana wallet')
        if (asked !== undefined && asked !== account.address)
          throw new LatchkeyError('invalid_data', 'The user has another Solana wallet', {
            details: { path: 'address' },
          })
        const fields = { ...input, domain: input.domain ?? requireSite(ports.settings()) }
        const message = writeSolanaSignIn(fields, account.address)
        const signed = await sign({ kind: 'solana-sign-in', message, fields, ...options }, signal)
        return { message, ...signed }
      },
      async signSolanaTransaction({ transaction, ...options }, { signal, window }) {
        requireSolanaNodes(ports.settings())
        const request = { kind: 'solana-transaction', transaction, window, ...options } as const
        const { signature, address } = await sign(request, signal)
        return { transaction: signature, address }
      },
      async sendSolanaTransaction({ transaction, cluster, commitment, ...options }, { signal, window }) {
        const { urls, ...network } = selectNodes(requireSolanaNodes(ports.settings()), cluster)
        const sending = await ports.load(() => import('./lazy/solana-sending.ts'))
        const sponsored = await requestSponsor(ports, { ...network, transaction }, signal)
        if (!sponsored) sending.requireOtherSignatures(transaction)
        const toSign = sponsored?.transaction ?? transaction
        const request = { kind: 'solana-transaction', transaction: toSign, window, ...options } as const
        const { signature: signed, address } = await sign(request, signal)
        const complete = sponsored ? await sponsored.complete(signed) : signed
        const { clock } = ports
        const signature = await sending.sendTransaction(complete, { urls, commitment, clock, fetch, signal })
        return { signature, address }
      },
      signTypedData: async ({ data, address, ...options }, { signal, window, relayed }) =>
        signBy(address, { kind: 'typed-data', data, window, relayed, ...options }, signal),
    },
  }
}

/** Returns the host and port of the page. */
function requireSite({ hostOrigin }: Settings): string {
  if (hostOrigin !== null) return new URL(hostOrigin).host
  throw new LatchkeyError('invalid_data', 'A sign-in without a page must name its domain', {
    details: { path: 'domain' },
  })
}

type Nodes = Settings['app']['solanaRpcUrls']

function requireSolanaNodes({ app }: Settings): Nodes {
  if (Object.keys(app.solanaRpcUrls).length > 0) return app.solanaRpcUrls
  throw new LatchkeyError('not_supported', 'Embedded Solana provider does not yet support this RPC method.')
}

/** Returns the nodes of the cluster, or those of the app's only cluster. */
function selectNodes(nodes: Nodes, asked: SolanaCluster | undefined) {
  const [cluster, ...others] = asked ? [asked] : solanaClusters.filter((each) => nodes[each])
  const urls = cluster && nodes[cluster]
  if (cluster && urls && others.length === 0) return { cluster, urls }
  throw new LatchkeyError(
    'unsupported_chain_id',
    asked ? `The app has no node of ${asked}` : 'The app has several clusters, so the call must name one',
  )
}

/** Has the operator pay the fees, if the app lists the cluster. Returns undefined if the wallet pays. */
async function requestSponsor(
  ports: CapabilityPorts,
  { cluster, transaction }: { cluster: SolanaCluster; transaction: string },
  signal: AbortSignal,
) {
  if (!ports.settings().app.sponsoredClusters.includes(cluster)) return undefined
  const account = findEmbeddedWallet(await requireUser(ports, { signal }), 'solana')
  if (!account) return undefined
  const { quoteSponsored } = await ports.load(() => import('./lazy/solana-sponsor.ts'))
  return quoteSponsored(ports, { address: account.address, cluster, transaction }, signal)
}

/** Returns the request in the form that the provider accepts. */
function toAppRequest(toSign: ToSign, address: string): AskedOfApp {
  const request = toSign.request(address)
  switch (request.method) {
    case 'personal_sign':
      return { address, request }
    case 'eth_signTypedData_v4': {
      const [signer, json, digest] = request.params
      const signing: CrossAppRequest = { method: request.method, params: [signer, json] }
      return { address, request: signing, digest }
    }
    default:
      throw new LatchkeyError('not_supported', `A wallet of another app does no ${request.method}`)
  }
}
