import { type Picture, type Pictures, picturedView } from '../../contract/picture.ts'
import { AuthorizeView, type AuthorizeViewProps } from './authorize-screen.tsx'
import { authorizeScreen } from './screens.ts'

const authorize = (caption: string, step: AuthorizeViewProps['step']): Picture => ({
  caption: `Authorize, ${caption}`,
  screen: picturedView(
    authorizeScreen,
    AuthorizeView,
    (press): AuthorizeViewProps => ({ step, onAgain: press('again') }),
  ),
  standalone: true,
})

export const pictures: Pictures = {
  screens: [
    authorize('going', { status: 'leaving' }),
    authorize('failed', { status: 'failed', isLate: false }),
    authorize('too late', { status: 'failed', isLate: true }),
    authorize('alone', { status: 'alone' }),
  ],
}
