/** Events with provider tokens. */
import * as v from 'valibot'
import type { OAuthTokens } from '../../entities/session.ts'
import { type Lenient, lenientUser } from '../../rows/lenient.ts'

const tokens = v.looseObject({
  provider: v.string(),
  accessToken: v.string(),
}) as unknown as Lenient<OAuthTokens>

/**
 * Emitted after a login or a link at a provider, if the app allows hosts to receive tokens and the page requested them.
 */
export const oauthEvents = { oauthTokens: v.object({ tokens, user: lenientUser }) } as const
