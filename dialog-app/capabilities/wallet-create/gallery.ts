import { type Pictures, pictured } from '../../contract/picture.ts'
import { createdScreen, creatingScreen } from './screens.ts'

export const pictures: Pictures = {
  screens: [
    { caption: 'Wallet, creating', screen: pictured(creatingScreen, { status: 'creating' }) },
    {
      caption: 'Wallet, not created',
      screen: pictured(creatingScreen, { status: 'failed', problem: 'timedOut' }),
    },
    { caption: 'Wallet created, new user', screen: pictured(createdScreen, { title: 'welcome' }) },
    {
      caption: 'Wallet created before',
      screen: pictured(createdScreen, { title: 'allSet', isKeptOtherwise: true }),
    },
    { caption: 'Wallet created', screen: pictured(createdScreen, { title: 'allSet' }) },
  ],
}
