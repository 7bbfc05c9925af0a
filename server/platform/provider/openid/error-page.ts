/** Renders the pages for a failed and for a continuing authorization. */
import { html } from 'hono/html'
import { renderSimplePage } from '../../../kernel/http/pages/simple-page.ts'
import type { Language } from '../../../kernel/languages.ts'
import { texts } from '../texts.ts'

/** Allows styles only, no scripts. */
export const plainPolicy =
  "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** Renders an error page. `code` is for developers. */
export function errorPage(
  language: Language,
  says: 'failed' | 'over' | 'otherBrowser',
  code: string,
  description = '',
): string {
  const { title, text } = texts(language)[says]
  return renderSimplePage(language, {
    title,
    code,
    body: html`<h1>${title}</h1>
<p>${text}</p>
<p><small dir="ltr">${code}${description === '' ? '' : `: ${description}`}</small></p>`,
  })
}

/**
 * Renders a page that continues to a URL, which redirects to the other app. A direct redirect of the form would violate
 * the posting page's `form-action`, which does not list other apps.
 */
export function goingPage(language: Language, address: string): string {
  const { title, text } = texts(language).going
  return renderSimplePage(language, {
    title,
    head: html`<meta http-equiv="refresh" content="0;url=${address}">`,
    body: html`<h1>${title}</h1>
<p><a href="${address}">${text}</a></p>`,
  })
}
