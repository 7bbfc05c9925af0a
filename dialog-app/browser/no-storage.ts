import { LatchkeyError } from '@latchkey/protocol'

/** Most who read this are developers: Playwright's own flags do to every frame what a strict browser does. */
export const noStorage = (cause?: unknown): LatchkeyError =>
  new LatchkeyError(
    'session_storage_unavailable',
    'This browser keeps no data for the dialog (Playwright: see the README)',
    { cause },
  )
