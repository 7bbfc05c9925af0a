import type { BrowserContext } from '@playwright/test'

/**
 * Disables the blur behind the dialog, and endless animations. Without a GPU, the processor draws sixty frames a second
 * for them, in each window and in all frames below the dialog. The gallery covers their look.
 */
export const reduceDrawing = (context: BrowserContext) =>
  context.addInitScript(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(
      '*, ::before, ::after { backdrop-filter: none !important; animation-iteration-count: 1 !important }',
    )
    document.adoptedStyleSheets.push(sheet)
  })
