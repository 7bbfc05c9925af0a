/** What a person sees where an authorization cannot go on, or goes on to the other app. */
import { html } from 'hono/html'
import { fewWords } from '../../kernel/http/few-words.ts'
import type { InLanguages, Language } from '../../kernel/languages.ts'

const texts: InLanguages<{ readonly [Says in 'failed' | 'over' | 'otherBrowser' | 'going']: Said }> = {
  en: {
    failed: {
      title: 'This connection did not start',
      text: 'Close this window and try again in the other app.',
    },
    over: { title: 'This request is over', text: 'Close this window and try again in the other app.' },
    otherBrowser: {
      title: 'Unexpected request',
      text: 'This request began in another browser. This may be a phishing attempt. Close this window.',
    },
    going: { title: 'One moment', text: 'Back to the other app' },
  },
  ar: {
    failed: { title: 'لم يبدأ هذا الربط', text: 'أغلق هذه النافذة وحاول مرة أخرى في التطبيق الآخر.' },
    over: { title: 'انتهى هذا الطلب', text: 'أغلق هذه النافذة وحاول مرة أخرى في التطبيق الآخر.' },
    otherBrowser: {
      title: 'طلب غير متوقع',
      text: 'بدأ هذا الطلب في متصفح آخر. قد تكون هذه محاولة احتيال. أغلق هذه النافذة.',
    },
    going: { title: 'لحظة من فضلك', text: 'العودة إلى التطبيق الآخر' },
  },
}
type Said = { readonly title: string; readonly text: string }

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
  const { title, text } = texts[language][says]
  return fewWords(language, {
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
  const { title, text } = texts[language].going
  return fewWords(language, {
    title,
    head: html`<meta http-equiv="refresh" content="0;url=${address}">`,
    body: html`<h1>${title}</h1>
<p><a href="${address}">${text}</a></p>`,
  })
}
