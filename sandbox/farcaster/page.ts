/** The pages that the phone shows after it scanned a QR code. */

import { escapeHtml, thirdPartyPage } from '../pages/layout.ts'
import type { ChannelRequest } from './channels.ts'
import { type WrongWay, wrongWays } from './phone.ts'

/** The persons on the page; it also accepts any other name. */
const people = ['Ada Lovelace', 'Ben Okri'] as const

const labels = {
  stolen: 'By a key that owns no account',
  'wrong-domain': 'For another site',
  'wrong-statement': 'In other words',
  'wrong-nonce': 'For another request',
  'wrong-chain': 'For another chain',
  'wrong-account': 'For another account',
} as const satisfies Record<WrongWay, string>

const form = (token: string, fields: string) => `<form method="post" action="/farcaster/answer">
<input type="hidden" name="channelToken" value="${escapeHtml(token)}">
${fields}
</form>`
const button = (name: string, value: string, label: string) =>
  `<button name="${name}" value="${escapeHtml(value)}">${escapeHtml(label)}</button>`

export const signInPage = (token: string, { domain }: ChannelRequest): string =>
  thirdPartyPage(
    'Sign in with Farcaster',
    `<h1>Farcaster <small>in the sandbox</small></h1>
<p><strong>${escapeHtml(domain)}</strong> wants to know who you are.</p>
${form(token, `<fieldset><legend>Sign in as</legend>${people.map((name) => button('person', name, name)).join('\n')}</fieldset>`)}
${form(token, '<label>Somebody else <input name="person" required autocomplete="off"></label>\n<button>Sign in</button>')}
${form(
  token,
  `<fieldset><legend>What may go wrong</legend>
${button('wrong', 'denied', 'Deny: the relay has no word for it')}
${button('wrong', 'forgotten', 'The relay forgets the request')}
${wrongWays.map((way) => button('wrong', way, `Signed wrongly: ${labels[way]}`)).join('\n')}
</fieldset>`,
)}`,
  )

/** Renders the approval page of a key request. */
export const signerPage = (token: string, requestFid: number): string => {
  const signerForm = (fields: string) => `<form method="post" action="/farcaster/signer/answer">
<input type="hidden" name="token" value="${escapeHtml(token)}">
${fields}
</form>`
  return thirdPartyPage(
    'Connect to Farcaster',
    `<h1>Farcaster <small>in the sandbox</small></h1>
<p>The app of account <strong>${requestFid}</strong> wants to write in your name.</p>
${signerForm(`<fieldset><legend>Approve as</legend>${people.map((name) => button('person', name, name)).join('\n')}</fieldset>`)}
${signerForm('<label>Somebody else <input name="person" required autocomplete="off"></label>\n<button>Approve</button>')}
${signerForm(
  `<fieldset><legend>What may go wrong</legend>
${button('act', 'deny', 'Deny: the API has no word for it')}
${button('act', 'approve-slowly', 'Approve, and the chain takes its time')}
${button('act', 'remove', 'Take the key from the account again')}
</fieldset>`,
)}`,
  )
}

export const donePage = (message: string): string =>
  thirdPartyPage('Farcaster', `<h1>${escapeHtml(message)}</h1>`)
