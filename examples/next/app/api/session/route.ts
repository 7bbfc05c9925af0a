import { createLatchkeyServer } from '@latchkey/server'
import { withUser } from '@latchkey/server/next'
import { endSession, startSession } from '../../../session'
import { appId, dialogUrl } from '../../../settings'

const latchkey = createLatchkeyServer({
  appId,
  issuer: dialogUrl,
  keysUrl: process.env.LATCHKEY_KEYS_URL,
})

/** Exchanges an access token for the cookie of this app. */
export const POST = withUser(latchkey, async (_request, { userId }) => {
  await startSession(userId)
  return new Response(null, { status: 204 })
})

export async function DELETE() {
  await endSession()
  return new Response(null, { status: 204 })
}
