/** Handlers of an approval in a picture, which report their events. Not part of the shipped bundle. */
import type { CreateProps } from '../contract/picture.ts'
import type { ConfirmationHandlers } from './confirmed.ts'

export const pictureHandlers = (
  ...[press, send]: Parameters<CreateProps<unknown>>
): ConfirmationHandlers => ({
  notice: send('notice'),
  pageOpened: send('pageOpened'),
  cancelPage: press('cancelPage'),
  explainPage: press('explainPage'),
})

/** Handlers for tests that read an approval without pressing. */
export const unheard: ConfirmationHandlers = pictureHandlers(
  () => () => {},
  () => () => {},
)
