import { createLatchkey, type Latchkey } from '@latchkey/loader'
import { metaContent } from './elements.ts'
import { accents, type Look, themes } from './look.ts'

export const appId = metaContent('app-id')
export const dialogUrl = metaContent('dialog-url')

/** The dialog wears the look of the page; `?dialog=dark` sets its theme apart, to see a dark dialog on a light page. */
const asked = new URLSearchParams(location.search).get('dialog')
const dialogTheme = themes.find((known) => known === asked)

export const configFor = ({ theme, accent, language }: Look) => ({
  intl: { locale: language },
  appearance: { theme: dialogTheme ?? theme, accentColor: accents[accent] },
})

export const startLatchkey = (look: Look): Latchkey =>
  createLatchkey({ appId, dialogUrl, config: configFor(look) })
