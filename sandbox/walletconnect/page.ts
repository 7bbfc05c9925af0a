/** The phone page: paste a pairing link, then approve or reject. It works without a script. */
import { emptyState, escapeHtml, facts, sandboxPage } from '../pages/layout.ts'
import type { Phone, PhoneRequest } from './phone.ts'
import type { Relay } from './relay.ts'

const describeRequest = (asked: PhoneRequest): string => {
  switch (asked.type) {
    case 'session':
      return `<p>wants to connect, on ${escapeHtml(asked.chains.join(', ') || 'any chain')}.</p>`
    case 'sign':
      return `<p>wants this signed:</p>\n<pre>${escapeHtml(asked.message)}</pre>`
    case 'switch':
      return `<p>wants to go on with ${escapeHtml(asked.to)}.</p>`
    default:
      return asked satisfies never
  }
}

const requestForm = (asked: PhoneRequest) => `<form class="panel" method="post" action="/phone/answer">
<h2>${escapeHtml(asked.from.name)} <small>${escapeHtml(asked.from.url)}</small></h2>
${describeRequest(asked)}
<input type="hidden" name="id" value="${asked.id}">
<div class="actions"><button class="primary" name="answer" value="approve">Approve</button>
<button name="answer" value="reject">Reject</button></div>
</form>`

const pairForm = `<form class="panel" method="post" action="/phone/pair">
<label>Link of a QR code <input name="uri" required autocomplete="off" spellcheck="false" placeholder="wc:…@2?…"></label>
<div class="actions"><button class="primary">Join</button></div>
</form>`

const sessionList = (sessions: readonly { name: string; url: string }[]) =>
  `<ul class="rows">${sessions.map(({ name, url }) => `<li><p>Connected to ${escapeHtml(name)}.</p><p>${escapeHtml(url)}</p></li>`).join('')}</ul>
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
    body: `${problem === undefined ? '' : `<p role="alert">${escapeHtml(problem)}</p>`}
${facts([['Wallet', `<code>${address}</code>`]])}
${asked.map(requestForm).join('\n')}
${isIdle ? pairForm : ''}
${sessions.length > 0 ? sessionList(sessions) : ''}
${sessions.length > 0 && asked.length === 0 ? emptyState('Nothing to approve', 'What the page asks of this wallet shows up here.') : ''}`,
  })
}

/** Renders the counters of the relay. Messages are end-to-end encrypted, so it cannot show more. */
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
