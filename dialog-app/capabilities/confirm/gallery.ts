import { type Pictures, pictured } from '../../core/picture.ts'
import { confirmScreen } from './screens.ts'

const href = 'https://wallet.example/apps/lkdemo0000000000000000001/confirm#handle'

export const pictures: Pictures = {
  screens: [
    {
      caption: 'Confirm on the page',
      screen: pictured(confirmScreen, { status: 'waiting', href, mayBeBlocked: false }),
    },
    {
      caption: 'Confirm on the page, perhaps blocked',
      screen: pictured(confirmScreen, { status: 'waiting', href, mayBeBlocked: true }),
    },
    { caption: 'Confirm, inside of an app', screen: pictured(confirmScreen, { status: 'in-app' }) },
  ],
}
