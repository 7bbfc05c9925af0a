import { type Pictures, pictured } from '../../contract/picture.ts'
import { createdScreen, creatingScreen } from './screens.ts'
import { english } from './texts.arb'

export const pictures: Pictures = {
  screens: [
    { caption: 'Wallet, creating', screen: pictured(creatingScreen, { status: 'creating' }) },
    {
      caption: 'Wallet, not created',
      screen: pictured(creatingScreen, { status: 'failed', problem: english.problems.timedOut }),
    },
    { caption: 'Wallet created, new user', screen: pictured(createdScreen, { title: 'Welcome' }) },
    {
      caption: 'Wallet created before',
      screen: pictured(createdScreen, { title: 'All set!', isKeptOtherwise: true }),
    },
    { caption: 'Wallet created', screen: pictured(createdScreen, { title: 'All set!' }) },
  ],
}
