/** The phone, for a person: paste the link, then say yes or no. It works without a script. */
import type { Asked, Phone } from './phone.ts'

const escaped = (text: string) => text.replaceAll(/[&<>"']/g, (letter) => `&#${letter.codePointAt(0)};`)

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

const askedForm = (asked: Asked) => `<form method="post" action="/phone/answer">
<h2>${escaped(asked.from.name)} <small>${escaped(asked.from.url)}</small></h2>
${wantsOf(asked)}
<input type="hidden" name="id" value="${asked.id}">
<button name="answer" value="approve">Approve</button>
<button name="answer" value="reject">Reject</button>
</form>`

const pairForm = `<form method="post" action="/phone/pair">
<label>Link of a QR code <input name="uri" required autocomplete="off" placeholder="wc:…@2?…"></label>
<button>Join</button>
</form>`

export function phonePage(
  { address, asked, sessions }: ReturnType<Phone['state']>,
  problem?: string,
): string {
  const isWaiting = sessions.length > 0 && asked.length === 0
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${isWaiting ? '<meta http-equiv="refresh" content="2">' : ''}
<title>Phone</title>
<link rel="stylesheet" href="/phone.css">
<main>
<h1>Phone <small>with a wallet in the sandbox</small></h1>
<p><code>${address}</code></p>
${problem === undefined ? '' : `<p role="alert">${escaped(problem)}</p>`}
${asked.map(askedForm).join('\n')}
${sessions.map(({ name }) => `<p>Connected to ${escaped(name)}.</p>`).join('\n')}
${sessions.length > 0 ? '<form method="post" action="/phone/leave"><button>Disconnect</button></form>' : ''}
${sessions.length === 0 && asked.length === 0 ? pairForm : ''}
</main>
</html>
`
}
