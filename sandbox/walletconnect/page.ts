/** The phone, for a person: paste the link, then say yes or no. It works without a script. */
import { emptyState, escaped, facts, sandboxPage } from '../pages/layout.ts'
import type { Asked, Phone } from './phone.ts'
import type { Relay } from './relay.ts'

const wantsOf = (asked: Asked): string => {
  switch (asked.type) {
    case 'session':
      return `<p>wants to connect, on ${escaped(asked.chains.join(', ') || 'any chain')}.</p>`
    case 'sign':
      return `<p>wants this signed:</p>\n<pre>${escaped(asked.message)}</pre>`
    case 'switch':
      return `<p>wants to go on with ${escaped(asked.to)}.</p>`
    default:
      return asked satisfies never
  }
}

const askedForm = (asked: Asked) => `<form class="panel" method="post" action="/phone/answer">
<h2>${escaped(asked.from.name)} <small>${escaped(asked.from.url)}</small></h2>
${wantsOf(asked)}
<input type="hidden" name="id" value="${asked.id}">
<div class="actions"><button class="primary" name="answer" value="approve">Approve</button>
<button name="answer" value="reject">Reject</button></div>
</form>`

const pairForm = `<form class="panel" method="post" action="/phone/pair">
<label>Link of a QR code <input name="uri" required autocomplete="off" spellcheck="false" placeholder="wc:…@2?…"></label>
<div class="actions"><button class="primary">Join</button></div>
</form>`

const connected = (sessions: readonly { name: string; url: string }[]) =>
  `<ul class="rows">${sessions.map(({ name, url }) => `<li><p>Connected to ${escaped(name)}.</p><p>${escaped(url)}</p></li>`).join('')}</ul>
<form method="post" action="/phone/leave"><div class="actions"><button>Disconnect</button></div></form>`

export function phonePage(
  { address, asked, sessions }: ReturnType<Phone['state']>,
  problem?: string,
): string {
  const isIdle = sessions.length === 0 && asked.length === 0
  return sandboxPage({
    here: '/phone',
    lead: 'A phone with a wallet in it. Choose WalletConnect in the dialog, copy the link beside the QR code, and paste it here. For Farcaster, follow the link of its own code.',
    live: '/api/phone',
    body: `${problem === undefined ? '' : `<p role="alert">${escaped(problem)}</p>`}
${facts([['Wallet', `<code>${address}</code>`]])}
${asked.map(askedForm).join('\n')}
${isIdle ? pairForm : ''}
${sessions.length > 0 ? connected(sessions) : ''}
${sessions.length > 0 && asked.length === 0 ? emptyState('Nothing to approve', 'What the page asks of this wallet shows up here.') : ''}`,
  })
}

/** What passes through the relay between pages and phones. Both ends encrypt it, so that is all it can tell. */
export function relayPage(counts: ReturnType<Relay['counts']>): string {
  const { published, kept, subscriptions, connections, attempts } = counts
  return sandboxPage({
    here: '/relay',
    lead: 'The relay of WalletConnect, between pages and the phone. It carries messages that it cannot read, so it counts them.',
    live: '/api/walletconnect',
    body: `${facts([
      ['Connections', String(connections)],
      ['Subscriptions', String(subscriptions)],
      ['Messages', String(published)],
      ['Waiting', String(kept)],
    ])}
${
  Object.keys(attempts).length === 0
    ? emptyState('No project has connected yet', 'Open a login by WalletConnect, or join with the phone.')
    : facts(Object.entries(attempts).map(([project, count]) => [`Project ${project}`, `${count} attempts`]))
}`,
  })
}
