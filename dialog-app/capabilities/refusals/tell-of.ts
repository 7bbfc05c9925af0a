/** A card that tells of an error by itself, whatever its caller heard; it is gone when it was read. */
import { toLatchkeyError } from '@latchkey/protocol'
import { done, type Flow } from '../../flow/flow.ts'
import type { Settings } from '../../host/settings.ts'
import { screenFor } from './screen-for.ts'

export const tellOf =
  (error: unknown, settings: Settings): Flow<void> =>
  (handle) => ({
    kind: 'login',
    run() {
      const end = () => handle.end(done(undefined))
      const problem = toLatchkeyError(error, 'unknown_auth_error', 'Something went wrong')
      handle.go(screenFor(problem, settings, { goBack: end, startOver: end }))
    },
    onClose: () => done(undefined),
  })
