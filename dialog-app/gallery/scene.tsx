/** Renders one picture with the real shell in a simulated window. */
import { Provider } from 'jotai/react'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { Picture } from '../contract/picture.ts'
import type { ShownScreen } from '../flow/screen.ts'
import type { View } from '../flow/view.ts'
import { toLanguage } from '../i18n/languages.ts'
import { Frame } from '../shell/frame.tsx'
import { Shell } from '../shell/shell.tsx'
import { createGalleryStore } from './app.ts'
import styles from './gallery.module.css'
import { accents, getLocale, type Query } from './query.ts'

const heights = { card: 560, sheet: 720, low: 320 } as const
const ignore = () => undefined

export function Scene({ picture, query }: { picture: Picture; query: Query }) {
  const { scheme, layout, accent } = query
  const { config, standalone = false, canGoBack = false, caption } = picture
  const stand = useRef<HTMLDivElement>(null)
  const screen = useTypedFirst(picture, stand)
  const locale = getLocale(query)
  const store = useMemo(
    () =>
      createGalleryStore(
        {
          ...config,
          appearance: { ...config?.appearance, theme: scheme, accentColor: accents[accent] },
          intl: { locale },
        },
        heights[layout],
      ),
    [config, locale, scheme, accent, layout],
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
    <figure className={styles.scene}>
      <figcaption>{caption}</figcaption>
      <div
        ref={stand}
        className={styles.stand}
        data-layout={layout}
        data-scheme={scheme}
        data-scene={caption}
      >
        <Provider store={store}>
          <Frame language={toLanguage(locale)} standalone={standalone}>
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
    </figure>
  )
}

/** Typed text is state of the field, so it is typed into the field before the refused state is shown. */
function useTypedFirst({ screen, typed }: Picture, stand: { current: HTMLElement | null }): ShownScreen {
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
  return useMemo(() => (ready || !typed ? screen : typed.into)(ignore), [ready, screen, typed])
}

/** Sets the value natively, because React ignores an input event without a changed value. */
function write(input: HTMLInputElement, character: string) {
  const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set
  set?.call(input, character)
  input.dispatchEvent(new InputEvent('input', { bubbles: true, data: character }))
}
