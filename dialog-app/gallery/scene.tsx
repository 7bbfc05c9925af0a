/** Renders one picture with the real shell in a simulated window. */
import type { ClientConfig } from '@latchkey/protocol'
import { Provider } from 'jotai/react'
import { type ComponentProps, useEffect, useMemo, useRef, useState } from 'react'
import type { Picture } from '../contract/picture.ts'
import type { ShownScreen } from '../flow/screen.ts'
import type { View } from '../flow/view.ts'
import { type Language, toLanguage } from '../i18n/languages.ts'
import { Frame } from '../shell/frame.tsx'
import { Shell } from '../shell/shell.tsx'
import { createGalleryStore } from './app.ts'
import styles from './gallery.module.css'
import { accents, type Query } from './query.ts'

const heights = { card: 560, sheet: 720, low: 320 } as const
const ignore = () => undefined

export function Scene({ picture, query }: { picture: Picture; query: Query }) {
  const { scheme, layout, accent, language } = query
  const config = useMemo(
    () => ({ appearance: { theme: scheme, accentColor: accents[accent] }, intl: { locale: language } }),
    [scheme, accent, language],
  )
  return (
    <figure className={styles.scene}>
      <figcaption>{picture.caption}</figcaption>
      <PicturedDialog
        className={styles.stand}
        data-layout={layout}
        data-scheme={scheme}
        data-scene={picture.caption}
        picture={picture}
        config={config}
        heightPx={heights[layout]}
      />
    </figure>
  )
}

type PicturedDialogProps = ComponentProps<'div'> & {
  picture: Picture
  /** Overrides the settings of the picture. */
  config: ClientConfig
  heightPx: number
}

export function PicturedDialog({ picture, config: chosen, heightPx, ...place }: PicturedDialogProps) {
  const { config, standalone = false, canGoBack = false } = picture
  const stand = useRef<HTMLDivElement>(null)
  const language = toLanguage(chosen.intl?.locale)
  const screen = useTypedFirst(picture, language, stand)
  const store = useMemo(
    () =>
      createGalleryStore(
        { ...config, ...chosen, appearance: { ...config?.appearance, ...chosen.appearance } },
        heightPx,
      ),
    [config, chosen, heightPx],
  )
  const view: View = {
    open: true,
    shown: true,
    screen,
    covered: [],
    step: 1,
    direction: 'forward',
    header: { back: screen.ways.back && canGoBack, close: screen.ways.close && !standalone },
    held: false,
    standalone,
  }
  return (
    <div ref={stand} {...place}>
      <Provider store={store}>
        <Frame language={language} standalone={standalone}>
          <Shell
            view={view}
            onBack={ignore}
            onClose={ignore}
            onSkip={ignore}
            onDrawn={ignore}
            onFocused={ignore}
          />
        </Frame>
      </Provider>
    </div>
  )
}

/** Typed text is state of the field, so it is typed into the field before the refused state is shown. */
function useTypedFirst(
  { screen, typed }: Picture,
  language: Language,
  stand: { current: HTMLElement | null },
): ShownScreen {
  const [ready, setReady] = useState(typed === undefined)
  useEffect(() => {
    if (typed === undefined) return
    const inputs = stand.current?.querySelectorAll('input') ?? []
    for (const [position, character] of Array.from(typed.text).entries()) {
      const input = inputs[position]
      if (input) write(input, character)
    }
    setReady(true)
  }, [typed, stand])
  return useMemo(
    () => (ready || !typed ? screen : typed.into)(ignore, language),
    [ready, screen, typed, language],
  )
}

/** Sets the value natively, because React ignores an input event without a changed value. */
function write(input: HTMLInputElement, character: string) {
  const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set
  set?.call(input, character)
  input.dispatchEvent(new InputEvent('input', { bubbles: true, data: character }))
}
