import type { BrowserContext } from '@playwright/test'

/**
 * The page behind the dialog is not blurred. Without graphics hardware a browser blurs the whole window anew for each
 * frame of whatever turns in the card, and that was a third of what these tests computed. How it looks is seen in the
 * gallery.
 */
export const leaveUnblurred = (context: BrowserContext) =>
  context.addInitScript(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync('* { backdrop-filter: none !important }')
    document.adoptedStyleSheets.push(sheet)
  })
