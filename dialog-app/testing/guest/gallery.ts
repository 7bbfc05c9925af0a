import { type Pictures, picturedEntry, picturedView } from '../../contract/picture.ts'
import { GuestEntry } from './guest-entry.tsx'
import { KnockView } from './knock-screen.tsx'
import { knockScreen, verifyScreen, waitScreen } from './screens.ts'
import { texts } from './texts.arb'
import { VerifyView } from './verify-screen.tsx'
import { WaitScreen } from './wait-screen.tsx'

export const pictures: Pictures = {
  entries: [{ entry: picturedEntry(texts, GuestEntry, (press) => ({ onChoose: press('choose') })) }],
  screens: [
    {
      caption: 'Guest, knock',
      screen: picturedView(knockScreen, KnockView, (_press, send) => ({ onAnswer: send('answer') })),
      canGoBack: true,
    },
    { caption: 'Guest, waiting', screen: picturedView(waitScreen, WaitScreen, () => ({})) },
    {
      caption: 'Guest, verification',
      screen: picturedView(verifyScreen, VerifyView, (press) => ({ onConfirm: press('confirm') })),
      canGoBack: true,
    },
  ],
}
