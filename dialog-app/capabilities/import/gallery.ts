import { type Picture, type Pictures, pictured } from '../../contract/picture.ts'
import type { ImportState } from './import-screen.tsx'
import { importScreen } from './screens.ts'

const picture = (caption: string, state: ImportState): Picture => ({
  caption: `Import, ${caption}`,
  screen: pictured(importScreen, state),
})

// The page itself is of another origin, which has no place in the gallery.
const pageUrl = 'about:blank'

export const pictures: Pictures = {
  screens: [
    picture('opening', { status: 'opening' }),
    picture('before the page came', { status: 'page', pageUrl }),
    picture('while it is kept', { status: 'importing', pageUrl }),
    picture('done', { status: 'done', address: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F' }),
    picture('failed', { status: 'failed' }),
    picture('of a wallet that another user has', { status: 'taken' }),
  ],
}
