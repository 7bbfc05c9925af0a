/** What providers hand out for their users. */
import * as v from 'valibot'
import type { OAuthTokens } from '../../entities/session.ts'
import { type Lenient, lenientUser } from '../../rows/lenient.ts'

const tokens = v.looseObject({
  provider: v.string(),
  accessToken: v.string(),
}) as unknown as Lenient<OAuthTokens>

/** After a login or a link at a provider, where the app hands tokens out and the page asked for them. */
export const oauthEvents = { oauthTokens: v.object({ tokens, user: lenientUser }) } as const
