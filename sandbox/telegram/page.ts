/** The page of a login at Telegram, and the one that takes its answer back to whoever asked. */

import { escaped, visitPage } from '../pages/layout.ts'
import { type WayToSign, waysToSign } from './bot.ts'

export type Asked = { origin: string; returnTo: string; botName: string }

const labels = {
  right: 'As it should be',
  old: 'Answer of an hour ago',
  forged: 'Answer that another bot signed',
} as const satisfies Record<WayToSign, string>

const button = (name: string, value: string, label: string) =>
  `<button name="${name}" value="${escaped(value)}">${escaped(label)}</button>`

export const askingPage = ({ origin, returnTo, botName }: Asked): string => {
  const form = (inner: string) => `<form method="post" action="/auth/confirm">
<input type="hidden" name="origin" value="${escaped(origin)}">
<input type="hidden" name="return_to" value="${escaped(returnTo)}">
${inner}
</form>`
  const wrong = waysToSign.filter((way) => way !== 'right')
  return visitPage(
    'Telegram Authorization',
    `<h1>Telegram <small>in the sandbox</small></h1>
<p>Log in to <strong>${escaped(new URL(origin).hostname)}</strong>, of <strong>@${escaped(botName)}</strong>, as</p>
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

export const refusingPage = (why: string): string =>
  visitPage('Telegram Authorization', `<p>${escaped(why)}</p>`)

/** `result` is what the widget's callback gets: `false` where nobody is named. */
export const answeringPage = ({ origin, returnTo }: Pick<Asked, 'origin' | 'returnTo'>, result: unknown) => {
  const attributes = [
    ['origin', origin],
    ['return-to', returnTo],
    ['result', JSON.stringify(result)],
  ] as const
  return visitPage(
    'Telegram Authorization',
    `<p>Going back</p>
<script src="/telegram/answer.js"${attributes.map(([name, value]) => ` data-${name}="${escaped(value)}"`).join('')}></script>`,
  )
}
