import { createLatchkeyServer } from '@latchkey/server'
import { withUser } from '@latchkey/server/next'
import { appId, dialogUrl } from '../../../settings'

const latchkey = createLatchkeyServer({
  appId,
  issuer: dialogUrl,
  keysUrl: process.env.LATCHKEY_KEYS_URL,
})

export const GET = withUser(latchkey, (_request, user) => Response.json({ userId: user.userId }))
