import { type Picture, type Pictures, picturedView } from '../../contract/picture.ts'
import { onlyClose } from '../../flow/screen.ts'
import {
  CreatedScreen,
  type CreatedScreenProps,
  type CreatingProblem,
  CreatingView,
} from './creation-screens.tsx'
import { createdScreen, creatingScreen } from './screens.ts'

const creating = (caption: string, problem?: CreatingProblem): Picture => ({
  caption,
  screen: picturedView(
    creatingScreen,
    CreatingView,
    (press) => ({ problem, onRetry: press('retry') }),
    problem === undefined ? undefined : onlyClose,
  ),
})
const created = (caption: string, props: CreatedScreenProps): Picture => ({
  caption,
  screen: picturedView(createdScreen, CreatedScreen, () => props),
})

export const pictures: Pictures = {
  screens: [
    creating('Wallet, creating'),
    creating('Wallet, not created', 'timedOut'),
    created('Wallet created, new user', { title: 'welcome' }),
    created('Wallet created before', { title: 'allSet', isKeptOtherwise: true }),
    created('Wallet created', { title: 'allSet' }),
  ],
}
