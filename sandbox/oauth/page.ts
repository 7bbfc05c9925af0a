/** The consent page, and the page that posts the response for `response_mode=form_post`. */

import { escapeHtml, thirdPartyPage } from '../pages/layout.ts'
import type { AuthorizationRequest } from './grants.ts'
import { trials } from './provider.ts'
import { providers } from './providers.ts'

/** The persons on the page, one of them without an e-mail address. It also accepts any other name. */
const people = [
  { choice: 'Ada Lovelace', label: 'Ada Lovelace' },
  { choice: 'Ben Okri', label: 'Ben Okri' },
] as const

const labels = {
  suspended: 'Suspended account',
  'expired-code': 'Code that has expired',
  'rate-limited': 'Rate limit',
} as const satisfies Record<(typeof trials)[number], string>

const button = (name: string, value: string, label: string) =>
  `<button name="${name}" value="${escapeHtml(value)}">${escapeHtml(label)}</button>`

export const consentPage = (id: string, { provider, clientId, scopes }: AuthorizationRequest): string => {
  const { title } = providers[provider]
  return thirdPartyPage(
    `Log in with ${title}`,
    `<h1>${escapeHtml(title)} <small>in the sandbox</small></h1>
<p><strong>${escapeHtml(clientId)}</strong> asks for ${escapeHtml(scopes.join(', '))}.</p>
<form method="post" action="/oauth/consent">
<input type="hidden" name="request" value="${escapeHtml(id)}">
<fieldset><legend>Go on as</legend>
${people.map(({ choice, label }) => button('person', choice, label)).join('\n')}
${button('without_email', 'Cleo Noether', 'Cleo Noether, who has no e-mail')}
</fieldset>
</form>
<form method="post" action="/oauth/consent">
<input type="hidden" name="request" value="${escapeHtml(id)}">
<label>Somebody else <input name="person" required autocomplete="off"></label>
<button>Continue</button>
</form>
<form method="post" action="/oauth/consent">
<input type="hidden" name="request" value="${escapeHtml(id)}">
<fieldset><legend>What may go wrong</legend>
${button('denied', 'yes', 'Deny')}
${trials.map((trial) => button('trial', trial, labels[trial])).join('\n')}
</fieldset>
</form>`,
  )
}

export const wrongRequestPage = (why: string): string =>
  thirdPartyPage('Not a request', `<h1>This is no request for a login</h1>\n<p>${escapeHtml(why)}</p>`)

export const formPostPage = (to: string, fields: Readonly<Record<string, string>>): string =>
  thirdPartyPage(
    'Going back',
    `<form method="post" action="${escapeHtml(to)}">
${Object.entries(fields)
  .map(([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`)
  .join('\n')}
<button>Go back</button>
</form>
<script src="/oauth/submit.js"></script>`,
  )
