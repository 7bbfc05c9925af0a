/** What stands in the window that went to a provider. */
import { product } from '@latchkey/protocol'
import type { OAuthResult } from '@latchkey/protocol/api'
import { type HtmlAnswer, windowHtml } from '../window/window.ts'

/** For `window.opener`, where there is one; the dialog asks the server as well. */
const messageOf = (result: OAuthResult) => {
  const { response, error } = product.oauthPopup
  return result.status === 'completed'
    ? { type: response, stateCode: result.stateCode, authorizationCode: result.authorizationCode }
    : { type: error, error: result.status === 'failed' ? result.error : 'oauth_unexpected' }
}

export const answeredPage = (title: string, result: OAuthResult): HtmlAnswer => ({
  type: 'html',
  html: windowHtml(
    result.status === 'completed' ? `${title} has answered` : `${title} was not connected`,
    'You can close this window.',
    { src: '/oauth/window.js', data: { 'data-message': JSON.stringify(messageOf(result)) } },
  ),
})
