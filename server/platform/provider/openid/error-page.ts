/** What a person sees where an authorization cannot go on, or goes on to the other app. */
import { html } from 'hono/html'
import { renderSimplePage } from '../../../kernel/http/pages/simple-page.ts'
import type { Language } from '../../../kernel/languages.ts'
import { texts } from '../texts.ts'

/** Styles alone: there is no script. */
export const plainPolicy =
  "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** `code`: for who develops an app. */
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
 * Goes on to an address that answers with a redirect to the other app. A redirect of the form itself would be held to the
 * `form-action` of the page that posted it, and that app stands in no policy of ours.
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
