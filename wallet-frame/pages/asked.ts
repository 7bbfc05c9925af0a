import { LatchkeyError } from '@latchkey/protocol'

/** What the user of a window was asked there: whoever closes the window has said no. */
export async function asked<Answer>(answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer
  } catch (error) {
    throw error instanceof LatchkeyError && goneCodes.has(error.code) ? closedByUser() : error
  }
}
const goneCodes: ReadonlySet<string> = new Set(['channel_closed', 'frame_reloaded', 'frame_unresponsive'])

export const closedByUser = () => new LatchkeyError('user_rejected_request', 'The window was closed')
