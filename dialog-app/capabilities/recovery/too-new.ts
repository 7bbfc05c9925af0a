/** The server opens no wallet on a new device for what came to its user only lately: that is said, and why. */
import type { LatchkeyError } from '@latchkey/protocol'
import * as v from 'valibot'
import { type Flow, failed } from '../../core/flow.ts'
import { screen } from '../../core/screen.ts'
import { tooNewScreen } from './screens.ts'

const refusal = v.object({ until: v.number() })
/** Where the wallet frame was refused, and where the dialog was (`readApiProblem`). */
const refusals = v.union([
  refusal,
  v.pipe(
    v.object({ details: refusal }),
    v.transform(({ details }) => details),
  ),
])

export const sayTooNew =
  (error: LatchkeyError): Flow<never> =>
  (handle) => ({
    kind: 'recovery',
    run() {
      const told = v.safeParse(refusals, error.details)
      const untilSeconds = told.success ? told.output.until : undefined
      handle.replace(screen(tooNewScreen, { untilSeconds }, { back: () => handle.end(failed(error)) }))
    },
    onClose: () => failed(error),
  })
