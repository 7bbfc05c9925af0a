/** One tab's session on a server with scripted responses. */
import type { StoredSession } from '../session/stored-session.ts'
import { type Answers, makeBrowser, makeFakeTransport, makeTab, refused } from './fixture.ts'
import { makeToken, startSeconds } from './fixtures.ts'

export const kept: StoredSession = {
  accessToken: 'access-0',
  refreshToken: 'refresh-0',
  forkedToken: null,
  hostToken: 'host-0',
  providerAccessTokens: { app: 'provider-0' },
}

/** A token that expires this many seconds after the start. */
export const soon = (seconds: number, jti = 'soon') => makeToken({ exp: startSeconds + seconds, jti })

export function setUp(answers: Answers = {}, options: Parameters<typeof makeTab>[2] = {}) {
  const browser = makeBrowser()
  const transport = makeFakeTransport(answers)
  const tab = makeTab(browser, transport, options)
  return { browser, transport, ...tab, anotherTab: () => makeTab(browser, transport, options) }
}

export const over = () => {
  throw refused('missing_or_invalid_token', 401)
}
export const lost = () => {
  throw refused('server_unreachable', 0)
}
