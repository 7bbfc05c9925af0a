import type { BrowserContext } from '@playwright/test'

/**
 * Disables the blur behind the dialog. Without a GPU, browsers blur the whole window for each animation
 * frame, which took a third of the tests' time. The gallery covers its look.
 */
export const leaveUnblurred = (context: BrowserContext) =>
  context.addInitScript(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync('* { backdrop-filter: none !important }')
    document.adoptedStyleSheets.push(sheet)
  })
