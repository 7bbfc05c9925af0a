import { type Pictures, picturedView } from '../../contract/picture.ts'
import { ConfirmView } from './confirm-screen.tsx'
import { confirmScreen } from './screens.ts'

export const pictures: Pictures = {
  screens: [
    {
      caption: 'Confirm, inside of an app',
      screen: picturedView(confirmScreen, ConfirmView, (press) => ({ onLeave: press('leave') })),
    },
  ],
}
