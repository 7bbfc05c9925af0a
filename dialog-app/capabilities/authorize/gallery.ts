import { type Picture, type Pictures, pictured } from '../../contract/picture.ts'
import type { AuthorizeState } from './authorize-screen.tsx'
import { authorizeScreen } from './screens.ts'

const authorize = (caption: string, state: AuthorizeState): Picture => ({
  caption: `Authorize, ${caption}`,
  screen: pictured(authorizeScreen, state),
  standalone: true,
})

export const pictures: Pictures = {
  screens: [
    authorize('going', { status: 'going' }),
    authorize('failed', { status: 'failed', isLate: false }),
    authorize('too late', { status: 'failed', isLate: true }),
    authorize('alone', { status: 'alone' }),
  ],
}
