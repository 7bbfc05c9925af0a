import { LatchkeyError } from '@latchkey/protocol'

/** Rejects with `user_rejected_request` if the user closes the window before they answer. */
export async function rejectIfClosed<Answer>(answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer
  } catch (error) {
    throw error instanceof LatchkeyError && goneCodes.has(error.code) ? closedByUser() : error
  }
}
const goneCodes: ReadonlySet<string> = new Set(['channel_closed', 'frame_reloaded', 'frame_unresponsive'])

export const closedByUser = () => new LatchkeyError('user_rejected_request', 'The window was closed')
