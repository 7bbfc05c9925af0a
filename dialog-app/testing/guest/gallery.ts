import { type Pictures, pictured, picturedPart } from '../../contract/picture.ts'
import { guestEntry, knockScreen, verifyScreen, waitScreen } from './screens.ts'

export const pictures: Pictures = {
  entries: [{ entry: picturedPart(guestEntry, {}) }],
  screens: [
    { caption: 'Guest, knock', screen: pictured(knockScreen, {}), canGoBack: true },
    { caption: 'Guest, waiting', screen: pictured(waitScreen, {}) },
    { caption: 'Guest, verification', screen: pictured(verifyScreen, {}), canGoBack: true },
  ],
}
