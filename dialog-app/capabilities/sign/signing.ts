/** The host calls that sign messages, Solana transactions and typed data. */
import { LatchkeyError } from '@latchkey/protocol'
import type { CrossAppRequest } from '@latchkey/protocol/api'
import { signCalls } from '@latchkey/protocol/host'
import type { CapabilityPorts } from '../../contract/capability.ts'
import { type AskedOfApp, meansAnother } from '../../contract/connected-wallets.ts'
import { createUserFlows } from '../../contract/user-flows.ts'
import type { ServedHostCalls } from '../../host/host-calls.ts'
import { checkedMessage, readMessage } from './message.ts'
import { createSignCall } from './sign-call.ts'
import { blockedError, readRequest, type Signed, type SignRequest, type ToSign } from './to-sign.ts'

export function createSigning(ports: CapabilityPorts): ServedHostCalls<keyof typeof signCalls> {
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
      async signSolanaTransaction({ transaction, ...options }, { signal, window }) {
        if (Object.keys(ports.settings().app.solanaRpcUrls).length === 0) throw signsNoTransactions()
        const request = { kind: 'solana-transaction', transaction, window, ...options } as const
        const { signature, address } = await sign(request, signal)
        return { transaction: signature, address }
      },
      signTypedData: async ({ data, address, ...options }, { signal, window, relayed }) =>
        signBy(address, { kind: 'typed-data', data, window, relayed, ...options }, signal),
    },
  }
}

const signsNoTransactions = () =>
  new LatchkeyError('not_supported', 'Embedded Solana provider does not yet support this RPC method.')

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
