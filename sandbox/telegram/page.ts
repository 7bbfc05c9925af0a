/** Telegram's login page, and the page that returns the result to its opener. */

import { escapeHtml, thirdPartyPage } from '../pages/layout.ts'
import { type WayToSign, waysToSign } from './bot.ts'

export type LoginRequest = { origin: string; returnTo: string; botName: string }

const labels = {
  right: 'As it should be',
  old: 'Answer of an hour ago',
  forged: 'Answer that another bot signed',
} as const satisfies Record<WayToSign, string>

const button = (name: string, value: string, label: string) =>
  `<button name="${name}" value="${escapeHtml(value)}">${escapeHtml(label)}</button>`

export const loginPage = ({ origin, returnTo, botName }: LoginRequest): string => {
  const form = (inner: string) => `<form method="post" action="/auth/confirm">
<input type="hidden" name="origin" value="${escapeHtml(origin)}">
<input type="hidden" name="return_to" value="${escapeHtml(returnTo)}">
${inner}
</form>`
  const wrong = waysToSign.filter((way) => way !== 'right')
  return thirdPartyPage(
    'Telegram Authorization',
    `<h1>Telegram <small>in the sandbox</small></h1>
<p>Log in to <strong>${escapeHtml(new URL(origin).hostname)}</strong>, of <strong>@${escapeHtml(botName)}</strong>, as</p>
${form(`<fieldset><legend>Go on as</legend>
${['Ada Lovelace', 'Ben Okri', 'Cleo'].map((name) => button('person', name, name)).join('\n')}
</fieldset>`)}
${form(`<label>Somebody else <input name="person" required autocomplete="off"></label>
<button>Continue</button>`)}
${form(`<fieldset><legend>What may go wrong</legend>
${button('declined', 'yes', 'Decline')}
${wrong.map((way) => button('way', way, labels[way])).join('\n')}
</fieldset>`)}`,
  )
}

export const refusalPage = (why: string): string =>
  thirdPartyPage('Telegram Authorization', `<p>${escapeHtml(why)}</p>`)

/** `result` is the argument of the widget's callback: `false` if the user declined. */
export const returnPage = (
  { origin, returnTo }: Pick<LoginRequest, 'origin' | 'returnTo'>,
  result: unknown,
) => {
  const attributes = [
    ['origin', origin],
    ['return-to', returnTo],
    ['result', JSON.stringify(result)],
  ] as const
  return thirdPartyPage(
    'Telegram Authorization',
    `<p>Going back</p>
<script src="/telegram/answer.js"${attributes.map(([name, value]) => ` data-${name}="${escapeHtml(value)}"`).join('')}></script>`,
  )
}
