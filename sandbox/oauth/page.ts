/** The consent page, and the one that posts its answer for a provider that has a form posted. */

import { escaped, visitPage } from '../pages/layout.ts'
import type { Asked } from './grants.ts'
import { trials } from './provider.ts'
import { providers } from './providers.ts'

/** The page offers three people, one of them without an address, and takes any other name. */
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
  `<button name="${name}" value="${escaped(value)}">${escaped(label)}</button>`

export const consentPage = (id: string, { provider, clientId, scopes }: Asked): string => {
  const { title } = providers[provider]
  return visitPage(
    `Log in with ${title}`,
    `<h1>${escaped(title)} <small>in the sandbox</small></h1>
<p><strong>${escaped(clientId)}</strong> asks for ${escaped(scopes.join(', '))}.</p>
<form method="post" action="/oauth/consent">
<input type="hidden" name="request" value="${escaped(id)}">
<fieldset><legend>Go on as</legend>
${people.map(({ choice, label }) => button('person', choice, label)).join('\n')}
${button('without_email', 'Cleo Noether', 'Cleo Noether, who has no e-mail')}
</fieldset>
</form>
<form method="post" action="/oauth/consent">
<input type="hidden" name="request" value="${escaped(id)}">
<label>Somebody else <input name="person" required autocomplete="off"></label>
<button>Continue</button>
</form>
<form method="post" action="/oauth/consent">
<input type="hidden" name="request" value="${escaped(id)}">
<fieldset><legend>What may go wrong</legend>
${button('denied', 'yes', 'Deny')}
${trials.map((trial) => button('trial', trial, labels[trial])).join('\n')}
</fieldset>
</form>`,
  )
}

export const wrongRequestPage = (why: string): string =>
  visitPage('Not a request', `<h1>This is no request for a login</h1>\n<p>${escaped(why)}</p>`)

export const postingPage = (to: string, fields: Readonly<Record<string, string>>): string =>
  visitPage(
    'Going back',
    `<form method="post" action="${escaped(to)}">
${Object.entries(fields)
  .map(([name, value]) => `<input type="hidden" name="${escaped(name)}" value="${escaped(value)}">`)
  .join('\n')}
<button>Go back</button>
</form>
<script src="/oauth/submit.js"></script>`,
  )
