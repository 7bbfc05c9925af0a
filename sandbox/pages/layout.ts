/** The layout of the sandbox's pages: title, explanation, and navigation. */

export const escapeHtml = (text: string) =>
  text.replaceAll(/[&<>"']/g, (letter) => `&#${letter.codePointAt(0)};`)

export const html = 'text/html; charset=utf-8'

/** The content security policy of live pages, which post forms only to the sandbox. */
export const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ')

export const places = [
  { path: '/', name: 'Inbox' },
  { path: '/phone', name: 'Phone' },
  { path: '/chain', name: 'Chain' },
  { path: '/providers', name: 'Providers' },
  { path: '/relay', name: 'Relay' },
] as const
type Path = (typeof places)[number]['path']

const head = (title: string) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="stylesheet" href="/sandbox.css">`

const link = (here: Path, { path, name }: (typeof places)[number]) =>
  `<a href="${path}"${path === here ? ' aria-current="page"' : ''}>${name}</a>`

/** The navigation bar. The inbox has a copy in its own file; a test compares the two. */
export const bar = (here: Path) => `<div class="top">
<p class="product">Sandbox <small>plays every third party on this machine</small></p>
<nav class="places" aria-label="Sandbox">${places.map((place) => link(here, place)).join('')}</nav>
</div>`

type Place = {
  here: Path
  lead: string
  body: string
  /** An address that a live page polls; the page reloads when the response changes. */
  live?: string
}

/** Renders a page of the sandbox. It works without a script; with one it reloads on changes. */
export const sandboxPage = ({ here, lead, body, live }: Place): string => {
  const title = places.find(({ path }) => path === here)?.name ?? 'Sandbox'
  return `${head(title)}
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
${live === undefined ? '' : `<script src="/live.js" type="module" data-live="${escapeHtml(live)}"></script>`}
<body class="place">
${bar(here)}
<main>
<h1>${escapeHtml(title)}${live === undefined ? '' : ' <span id="live" class="live" data-state="connecting" role="status"></span>'}</h1>
<p class="lead">${escapeHtml(lead)}</p>
${body}
</main>
</html>
`
}

/** Renders a third party's page: a provider, a payment or a phone. */
export const thirdPartyPage = (title: string, body: string): string => `${head(title)}
<body class="visit">
<main>
${body}
</main>
<p class="note">This page stands in for the real one. Nothing leaves this machine.</p>
</html>
`

export const facts = (entries: readonly (readonly [name: string, value: string])[]): string =>
  `<dl class="facts">${entries.map(([name, value]) => `<div><dt>${escapeHtml(name)}</dt><dd>${value}</dd></div>`).join('')}</dl>`

export const emptyState = (title: string, text: string): string =>
  `<div class="empty"><p>${escapeHtml(title)}</p><p>${escapeHtml(text)}</p></div>`
