/** A small standalone page: title, body and optional script. */
import { html } from 'hono/html'
import { getDirection, type Language } from '../../languages.ts'

type Markup = ReturnType<typeof html>

type SimplePage = {
  title: string
  /** The content of `main`. */
  body: Markup
  /** The error code, for developers and support. */
  code?: string | undefined
  head?: Markup
  script?: Markup
}

export const renderSimplePage = (
  language: Language,
  { title, body, code, head, script }: SimplePage,
): string =>
  html`<!doctype html>
<html lang="${language}" dir="${getDirection(language)}">
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
