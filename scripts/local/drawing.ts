import type { BrowserContext } from 'playwright'

/**
 * Disables the blur behind the dialog and transitions, and ends animations at their first frame. Runs in each frame
 * before its scripts. Without a GPU, the processor draws sixty frames a second for them, in each window and in all
 * frames below the dialog. Tests of motion and the gallery do without it.
 */
export function drawLess(): void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(
    `*, ::before, ::after, ::backdrop {
      backdrop-filter: none !important;
      animation-duration: 1ms !important;
      animation-delay: 0s !important;
      animation-iteration-count: 1 !important;
      transition: none !important;
    }`,
  )
  document.adoptedStyleSheets.push(sheet)
}

export const reduceDrawing = (context: BrowserContext) => context.addInitScript(drawLess)
