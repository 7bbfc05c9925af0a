import { usePrivy } from '@privy-io/react-auth'
import {
  useWallets,
  useSignAndSendTransaction,
  type ConnectedStandardSolanaWallet,
} from '@privy-io/react-auth/solana'

const short = (wallet: ConnectedStandardSolanaWallet) => `${wallet.address.slice(0, 4)}…`

export function SolanaWallets() {
  const { ready, authenticated } = usePrivy()
  const { wallets, ready: walletsReady } = useWallets()
  const { signAndSendTransaction } = useSignAndSendTransaction()
  if (!ready || !authenticated || !walletsReady) return null
  return (
    <ul>
      {wallets.map((wallet) => (
        <li key={wallet.address} onClick={() => signAndSendTransaction({ transaction: new Uint8Array(), wallet })}>
          {short(wallet)}
        </li>
      ))}
    </ul>
  )
}
