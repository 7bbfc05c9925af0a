/** What stands in the window that went to a provider. */
import { product } from '@latchkey/protocol'
import type { OAuthResult } from '@latchkey/protocol/api'
import type { Context } from 'hono'
import { type HtmlAnswer, windowPage } from '../window/window.ts'

/** The message for `window.opener`, where there is one; the dialog asks the server as well. */
const messageOf = (result: OAuthResult) => {
  const { response, error } = product.oauthPopup
  return result.status === 'completed'
    ? { type: response, stateCode: result.stateCode, authorizationCode: result.authorizationCode }
    : { type: error, error: result.status === 'failed' ? result.error : 'oauth_unexpected' }
}

export const answeredPage = (c: Context, name: string, result: OAuthResult): HtmlAnswer =>
  windowPage(c, result.status === 'completed' ? 'answered' : 'notConnected', {
    name,
    script: { src: '/oauth/window.js', data: { 'data-message': JSON.stringify(messageOf(result)) } },
  })
