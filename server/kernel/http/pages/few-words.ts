/** A page of few words: a title, what it says, and nothing that runs but what it is given. */
import { html } from 'hono/html'
import { directionOf, type Language } from '../../languages.ts'

type Markup = ReturnType<typeof html>

type FewWords = {
  title: string
  /** The body is in `main`, below the title that the browser shows. */
  body: Markup
  /** Why it refuses, for who develops or supports an app. */
  code?: string | undefined
  head?: Markup
  script?: Markup
}

export const fewWords = (language: Language, { title, body, code, head, script }: FewWords): string =>
  html`<!doctype html>
<html lang="${language}" dir="${directionOf(language)}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
${head ?? ''}
<title>${title}</title>
<link rel="stylesheet" href="/login/window.css">
<main${code === undefined ? '' : html` data-error="${code}"`}>
${body}
</main>
${script ?? ''}
</html>
`.toString()
