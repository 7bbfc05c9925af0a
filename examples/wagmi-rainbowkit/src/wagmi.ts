import { latchkeyWallet } from '@latchkey/loader/wagmi'
import { connectorsForWallets } from '@rainbow-me/rainbowkit'
import { createConfig, http } from 'wagmi'
// The local chain. Replace it by `mainnet` or another chain with an RPC URL in your app.
import { anvil } from 'wagmi/chains'
import { appId, dialogUrl, rpcUrl } from './settings.ts'

const latchkey = latchkeyWallet({ appId, dialogUrl, name: 'E-mail or passkey' })
const connectors = connectorsForWallets([{ groupName: 'Log in', wallets: [latchkey] }], {
  appName: 'My app',
  projectId: 'YOUR-WALLETCONNECT-PROJECT',
})

export const config = createConfig({
  chains: [anvil],
  connectors,
  transports: { [anvil.id]: http(rpcUrl) },
})
