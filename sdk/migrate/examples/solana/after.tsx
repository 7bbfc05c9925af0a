import { useLatchkey, useSolanaWallets, type SolanaWallet } from '@latchkey/loader/react'
import { useSignAndSendTransaction } from '@privy-io/react-auth/solana'

const short = (wallet: SolanaWallet) => `${wallet.address.slice(0, 4)}…`

export function SolanaWallets() {
  const { ready, authenticated } = useLatchkey()
  const { wallets, ready: walletsReady } = useSolanaWallets()
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
