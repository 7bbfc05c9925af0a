import { product } from '@latchkey/protocol'
import { useAtomValue, useAtomValueRawSync } from 'jotai/react'
import { type CSSProperties, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Viewport } from '../host/settings.ts'
import { LanguageProvider } from '../i18n/context.tsx'
import { getDirection, type Language } from '../i18n/languages.ts'
import { applyTheme, deriveTheme } from '../theme/theme.ts'
import { accentAtom, themeAtom, viewportAtom } from './atoms.ts'
import styles from './frame.module.css'

type FrameProps = {
  language: Language
  standalone: boolean
  children: ReactNode
}

/**
 * Provides colours, language and available space to its content. Only this component renders again when the space
 * changes, because the content is passed as children.
 */
export function Frame({ language, standalone, children }: FrameProps) {
  const element = useRef<HTMLDivElement>(null)
  const prefersDark = usePrefersDark()
  const accent = useAtomValue(accentAtom)
  const theme = useAtomValue(themeAtom)
  // Updates even during a transition: the card must not be behind the keyboard for a single frame.
  const viewport = useAtomValueRawSync(viewportAtom)

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
        dir={getDirection(language)}
        style={viewportProperties(viewport)}
      >
        {children}
      </div>
    </LanguageProvider>
  )
}

/** React sets these one by one on the style object, which a policy without inline styles allows. */
function viewportProperties(viewport: Viewport | undefined): CSSProperties {
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
