import type { ReactNode } from 'react'
import { type Picture, type Pictures, picturedView } from '../../contract/picture.ts'
import { noWay } from '../../flow/screen.ts'
import { Failed, Imported, type ImportProblem, KeyPageView, Opening } from './import-screen.tsx'
import { importScreen } from './screens.ts'

const still = (caption: string, View: () => ReactNode): Picture => ({
  caption: `Import, ${caption}`,
  screen: picturedView(importScreen, View, () => ({})),
})
// The page itself is of another origin, which has no place in the gallery.
const page = (caption: string, isImporting: boolean): Picture => ({
  caption: `Import, ${caption}`,
  screen: picturedView(
    importScreen,
    KeyPageView,
    (press) => ({ pageUrl: 'about:blank', isImporting, onLeave: press('leave') }),
    isImporting ? noWay : undefined,
  ),
})
const failed = (caption: string, problem: ImportProblem): Picture => ({
  caption: `Import, ${caption}`,
  screen: picturedView(importScreen, Failed, (press) => ({ problem, onRetry: press('retry') })),
})

export const pictures: Pictures = {
  screens: [
    still('opening', Opening),
    page('before the page came', false),
    page('while it is kept', true),
    still('done', Imported),
    failed('failed', 'failed'),
    failed('of a wallet that another user has', 'taken'),
  ],
}
