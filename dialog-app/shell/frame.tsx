import { product } from '@latchkey/protocol'
import { type CSSProperties, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Settings } from '../host/settings.ts'
import { LanguageProvider } from '../i18n/context.tsx'
import { directionOf, languageOf } from '../i18n/languages.ts'
import { applyTheme, deriveTheme } from '../theme/theme.ts'
import styles from './frame.module.css'

type FrameProps = {
  readonly settings: Settings
  readonly standalone: boolean
  readonly children: ReactNode
}

/** Colours, language and the room that there is: what everything inside is drawn with. */
export function Frame({ settings, standalone, children }: FrameProps) {
  const element = useRef<HTMLDivElement>(null)
  const language = languageOf(settings.config.intl?.locale)
  const prefersDark = usePrefersDark()
  const { appearance } = settings.config
  const accent = appearance?.accentColor ?? settings.app.accentColor
  const theme = appearance?.theme ?? appearance?.palette?.colorScheme ?? settings.app.theme

  useLayoutEffect(() => {
    const derived = deriveTheme({ accent, theme, prefersDark })
    if (element.current) applyTheme(element.current, derived)
    for (const { code, setting, given } of derived.refusals) {
      console.warn(
        `${product.name}: the ${setting} ${JSON.stringify(given)} is not taken (${code}), the default is.`,
      )
    }
  }, [accent, theme, prefersDark])

  return (
    <LanguageProvider value={language}>
      <div
        ref={element}
        className={styles.frame}
        data-standalone={standalone}
        lang={language}
        dir={directionOf(language)}
        style={viewportProperties(settings)}
      >
        {children}
      </div>
    </LanguageProvider>
  )
}

/** React sets these one by one on the style object, which a policy without inline styles allows. */
function viewportProperties({ viewport }: Settings): CSSProperties {
  if (!viewport) return {}
  const { heightPx, offsetTopPx, insets } = viewport
  const properties: Record<`--lk-${string}`, string> = {
    '--lk-view-height': `${heightPx}px`,
    '--lk-view-top': `${offsetTopPx}px`,
    '--lk-inset-top': `${insets.top}px`,
    '--lk-inset-bottom': `${insets.bottom}px`,
  }
  return properties
}

const darkQuery = '(prefers-color-scheme: dark)'

function usePrefersDark(): boolean {
  const [dark, setDark] = useState(() => matchMedia(darkQuery).matches)
  useEffect(() => {
    const query = matchMedia(darkQuery)
    const read = () => setDark(query.matches)
    query.addEventListener('change', read)
    return () => query.removeEventListener('change', read)
  }, [])
  return dark
}
