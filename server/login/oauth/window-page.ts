/** What stands in the window that went to a provider. */
import { product } from '@latchkey/protocol'
import type { OAuthResult } from '@latchkey/protocol/api'
import { html } from 'hono/html'
import type { PageAnswer } from '../../http/page.ts'

type HtmlAnswer = Extract<PageAnswer, { readonly type: 'html' }>

const made = (title: string, text: string, message?: unknown): string =>
  html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="stylesheet" href="/oauth/window.css">
<main>
<h1>${title}</h1>
<p>${text}</p>
</main>
${message === undefined ? '' : html`<script src="/oauth/window.js" data-message="${JSON.stringify(message)}"></script>`}
</html>
`.toString()

const refused = (status: 400 | 403 | 404, title: string, text: string): HtmlAnswer => ({
  type: 'html',
  status,
  html: made(title, text),
})

/** For `window.opener`, where there is one; the dialog asks the server as well. */
const messageOf = (result: OAuthResult) => {
  const { response, error } = product.oauthPopup
  return result.status === 'completed'
    ? { type: response, stateCode: result.stateCode, authorizationCode: result.authorizationCode }
    : { type: error, error: result.status === 'failed' ? result.error : 'oauth_unexpected' }
}

export const windowPage = {
  notStarted: refused(404, 'This login did not start', 'Close this window and try again.'),
  over: refused(400, 'This login is over', 'Close this window and try again.'),
  foreign: refused(
    400,
    'Unexpected auth flow',
    'Unexpected auth flow. This may be a phishing attempt. Close this window.',
  ),
  otherBrowser: refused(
    403,
    'Unexpected auth flow',
    'This login began in another browser. This may be a phishing attempt. Close this window.',
  ),
  answered: (title: string, result: OAuthResult): HtmlAnswer => ({
    type: 'html',
    html: made(
      result.status === 'completed' ? `${title} has answered` : `${title} was not connected`,
      'You can close this window.',
      messageOf(result),
    ),
  }),
} as const
