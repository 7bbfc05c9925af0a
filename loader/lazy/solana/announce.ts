/** Announces the Solana wallet by the Wallet Standard. https://github.com/wallet-standard/wallet-standard */
import { LatchkeyError, providerMark, solanaClusters } from '@latchkey/protocol'
import type { SolanaProvider, SolanaSendOptions, SolanaSignInInput } from '../../types/options.ts'

/** A key icon. */
const icon =
  'data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHZpZXdCb3g9IjAgMCA5NiA5NiI+PHJlY3Qgd2lkdGg9Ijk2IiBoZWlnaHQ9Ijk2IiByeD0iMjIiIGZpbGw9IiMxZjI5MzciLz48ZyBmaWxsPSJub25lIiBzdHJva2U9IiNmZmYiIHN0cm9rZS13aWR0aD0iOCIgc3Ryb2tlLWxpbmVjYXA9InJvdW5kIj48Y2lyY2xlIGN4PSIzNSIgY3k9IjQ4IiByPSIxNCIvPjxwYXRoIGQ9Ik00OSA0OGgyN3YxMk02NCA0OHY5Ii8+PC9nPjwvc3ZnPg=='
const chains = solanaClusters.map((cluster) => `solana:${cluster}` as const)
const version = '1.0.0'

type Account = {
  address: string
  publicKey: Uint8Array
  chains: readonly string[]
  features: readonly string[]
}
type Changed = (properties: { accounts: readonly Account[] }) => void
type Input = { account: Account }
type ToSend = Input & {
  transaction: Uint8Array
  chain: string
  options?: { commitment?: NonNullable<SolanaSendOptions['commitment']> }
}

/** Announces the wallet. Returns a function to call when the current wallet may have changed. */
export function announce(
  name: string,
  signsTransactions: boolean,
  present: () => SolanaProvider | undefined,
): () => void {
  const listeners = new Set<Changed>()
  let accounts: readonly Account[] = []

  function update(provider: SolanaProvider | undefined) {
    if (provider?.address === accounts[0]?.address) return
    accounts = provider ? [toAccount(provider, Object.keys(signing))] : []
    for (const listener of listeners) listener({ accounts })
  }

  /** Signs one input after another, because each is shown to the user. */
  const each =
    <I extends Input, Output>(sign: (provider: SolanaProvider, input: I) => Promise<Output>) =>
    async (...inputs: I[]) => {
      const signed: Output[] = []
      for (const input of inputs) {
        const provider = present()
        if (provider?.address !== input.account.address) throw new Error('The account is not connected')
        signed.push(await sign(provider, input))
      }
      return signed
    }
  const signMessage = each(async (provider, { message }: Input & { message: Uint8Array }) => {
    const { signature } = await provider.signMessage(message)
    return { signedMessage: message, signature }
  })
  const signTransaction = each(async (provider, { transaction }: Input & { transaction: Uint8Array }) => {
    const { signedTransaction } = await provider.signTransaction(transaction)
    return { signedTransaction }
  })
  const signAndSendTransaction = each(async (provider, { transaction, chain, options }: ToSend) => {
    const { commitment } = options ?? {}
    const { signature } = await provider.signAndSendTransaction(transaction, {
      cluster: toCluster(chain),
      ...(commitment && { commitment }),
    })
    return { signature }
  })
  async function signIn(...inputs: SolanaSignInInput[]) {
    const signed: object[] = []
    for (const input of inputs.length === 0 ? [{}] : inputs) {
      const provider = present()
      const [account] = accounts
      if (!provider || !account) throw new Error('The account is not connected')
      const { signedMessage, signature } = await provider.signIn(input)
      signed.push({ account, signedMessage, signature })
    }
    return signed
  }
  const signing = {
    'solana:signMessage': { version, signMessage },
    'solana:signIn': { version, signIn },
    ...(signsTransactions && {
      'solana:signTransaction': {
        version,
        supportedTransactionVersions: ['legacy', 0] as const,
        signTransaction,
      },
      'solana:signAndSendTransaction': {
        version,
        supportedTransactionVersions: ['legacy', 0] as const,
        signAndSendTransaction,
      },
    }),
  }

  const wallet = Object.freeze({
    // The dialog offers no login with the wallet that it holds itself.
    [Symbol.for(providerMark)]: true,
    version,
    name,
    icon,
    chains,
    features: {
      'standard:connect': {
        version,
        async connect() {
          return { accounts }
        },
      },
      'standard:events': {
        version,
        on(_event: 'change', listener: Changed) {
          listeners.add(listener)
          return () => listeners.delete(listener)
        },
      },
      ...signing,
    },
    get accounts() {
      return accounts
    },
  })

  const register = (api: { register: (own: object) => void }) => api.register(wallet)
  update(present())
  addEventListener('wallet-standard:app-ready', ({ detail }: CustomEventInit & Event) => register(detail))
  dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: register }))
  return () => update(present())
}

function toCluster(chain: string) {
  const cluster = solanaClusters.find((each) => `solana:${each}` === chain)
  if (cluster) return cluster
  throw new LatchkeyError('unsupported_chain_id', `The wallet is on no chain ${chain}`)
}

const toAccount = ({ address, publicKey }: SolanaProvider, features: string[]): Account =>
  Object.freeze({ address, publicKey, chains, features })
