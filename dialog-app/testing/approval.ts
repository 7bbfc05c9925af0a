import type { ConfirmationHandlers } from '../approval/confirmed.ts'

/** Handlers for tests that read an approval without pressing. */
export const noHandlers: ConfirmationHandlers = {
  notice: () => {},
  pageOpened: () => {},
  cancelPage: () => {},
  explainPage: () => {},
}
