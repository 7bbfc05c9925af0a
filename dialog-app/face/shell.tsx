import { useCallback, useId, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { View } from '../core.ts'
import type { ViewEvent } from '../flows/view-state.ts'
import { ShownScreen } from '../screens/index.tsx'
import base from '../ui/base.module.css'
import { type Card, CardContext } from '../ui/card.ts'
import { useFocus } from './focus.ts'
import { Footer } from './footer.tsx'
import { Header } from './header.tsx'
import { LeaveQuestion, wouldLoseWork } from './leave-question.tsx'
import { useSmoothHeight } from './motion.ts'
import { type Layer, useScreenLayers } from './screen-layers.ts'
import styles from './shell.module.css'

type ShellProps = { readonly view: View; readonly send: (event: ViewEvent) => void }

/** The card and what is around it: header, footer, backdrop, and the way from one screen to the next. */
export function Shell({ view, send }: ShellProps) {
  const id = useId()
  const card = useRef<HTMLElement>(null)
  const body = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const { layers, onLeft } = useScreenLayers(view)
  const closable = view.open && view.header.close
  const [askedAt, setAskedAt] = useState<number>()
  const asks = closable && askedAt === view.step && wouldLoseWork(view.screen)
  const stay = () => setAskedAt(undefined)
  /** A key or a click beside the card may be a slip; the close button is not. */
  const dismiss = () => {
    if (wouldLoseWork(view.screen)) setAskedAt(view.step)
    else send({ type: 'close' })
  }

  useSmoothHeight(body, content)
  const announcement = useFocus(content, view)
  useEscape(closable && !asks, dismiss)

  return (
    <>
      {!view.standalone && (
        // The close button and Escape do the same for who has no pointer.
        <div
          className={styles.backdrop}
          data-open={view.open}
          // The focus stays where it is, for who stays.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => closable && dismiss()}
          aria-hidden="true"
        />
      )}
      <div className={styles.stage} data-standalone={view.standalone} data-open={view.open}>
        <div className={styles.place}>
          <section
            ref={card}
            className={styles.card}
            role="dialog"
            aria-modal={!view.standalone}
            aria-labelledby={`${id}-${view.step}`}
          >
            <Header flags={view.header} onPress={send} />
            <div ref={body} className={styles.body}>
              <div ref={content} className={styles.content}>
                {layers.map((layer) => (
                  <ScreenLayer
                    key={layer.step}
                    layer={layer}
                    direction={view.direction}
                    titleId={`${id}-${layer.step}`}
                    card={card}
                    send={send}
                    onLeft={onLeft}
                  />
                ))}
              </div>
            </div>
            <Footer showsLegal={view.screen?.name === 'LANDING'} />
            <div className={base.unseen} aria-live="polite">
              {announcement}
            </div>
          </section>
        </div>
      </div>
      {asks && <LeaveQuestion onStay={stay} onLeave={() => send({ type: 'close' })} />}
    </>
  )
}

type ScreenLayerProps = {
  readonly layer: Layer
  readonly direction: View['direction']
  readonly titleId: string
  readonly card: { readonly current: Element | null }
  readonly send: (event: ViewEvent) => void
  readonly onLeft: (step: number) => void
}

function ScreenLayer({ layer, direction, titleId, card, send, onLeft }: ScreenLayerProps) {
  const { leaving, step, screen } = layer
  const context = useMemo<Card>(() => ({ titleId, element: () => card.current }), [titleId, card])
  const sendIfHere = useCallback((event: ViewEvent) => !leaving && send(event), [leaving, send])
  return (
    <div
      className={styles.layer}
      data-leaving={leaving}
      data-direction={direction}
      inert={leaving}
      onAnimationEnd={(event) => leaving && event.target === event.currentTarget && onLeft(step)}
    >
      <CardContext value={context}>
        <ShownScreen view={screen} send={sendIfHere} />
      </CardContext>
    </div>
  )
}

function useEscape(closable: boolean, onEscape: () => void) {
  useLayoutEffect(() => {
    if (!closable) return
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.isComposing || event.defaultPrevented) return
      event.preventDefault()
      onEscape()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [closable, onEscape])
}
