/** One fixture, drawn by the real shell in a window of its own. */
import { useEffect, useMemo, useRef, useState } from 'react'
import type { View } from '../core.ts'
import { BrandingContext, brandingOf } from '../face/branding.ts'
import { Frame } from '../face/frame.tsx'
import { Shell } from '../face/shell.tsx'
import { settingsOf } from './app.ts'
import { type Fixture, openCode } from './fixtures.ts'
import styles from './gallery.module.css'
import { accents, type Query } from './query.ts'

const heights = { card: 560, sheet: 720 } as const
const ignore = () => undefined

export function Scene({ fixture, query }: { readonly fixture: Fixture; readonly query: Query }) {
  const { scheme, layout, direction, accent } = query
  const { config, standalone = false, caption } = fixture
  const stand = useRef<HTMLDivElement>(null)
  const screen = useTypedFirst(fixture, stand)
  const settings = useMemo(
    () =>
      settingsOf(
        {
          ...config,
          appearance: { ...config?.appearance, theme: scheme, accentColor: accents[accent] },
          intl: { locale: direction === 'rtl' ? 'ar' : 'en' },
        },
        heights[layout],
      ),
    [config, scheme, accent, direction, layout],
  )
  const view: View = {
    open: true,
    screen,
    step: 1,
    direction: 'forward',
    header: { back: false, info: false, close: !standalone, ...fixture.header },
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
        <BrandingContext value={brandingOf(settings)}>
          <Frame settings={settings} standalone={standalone}>
            <Shell view={view} send={ignore} />
          </Frame>
        </BrandingContext>
      </div>
    </figure>
  )
}

/** The digits are the field's own state, so they are typed as a person would, before the state that refuses them. */
function useTypedFirst({ screen, typed }: Fixture, stand: { readonly current: HTMLElement | null }) {
  const [ready, setReady] = useState(typed === undefined)
  useEffect(() => {
    if (typed === undefined) return
    const inputs = stand.current?.querySelectorAll('input') ?? []
    for (const [position, character] of Array.from(typed).entries()) {
      const input = inputs[position]
      if (input) write(input, character)
    }
    setReady(true)
  }, [typed, stand])
  return ready ? screen : ({ name: 'AWAITING_PASSWORDLESS_CODE', state: openCode } as const)
}

/** React listens for the event, and looks whether the value that it set itself has changed. */
function write(input: HTMLInputElement, character: string) {
  const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set
  set?.call(input, character)
  input.dispatchEvent(new InputEvent('input', { bubbles: true, data: character }))
}
