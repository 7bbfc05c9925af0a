import { useTexts } from '../../i18n/context.tsx'
import { Waiting } from '../../ui/feedback/waiting.tsx'
import { WalletFace } from '../../ui/rows/wallet-face.tsx'
import { texts } from './texts.arb'

/** Seen where this device is given its share of the wallet first. */
export function ConnectingScreen() {
  const { connecting } = useTexts(texts)
  return (
    <Waiting title={connecting.title} detail={connecting.recovering}>
      <WalletFace />
    </Waiting>
  )
}
