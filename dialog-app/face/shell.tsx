import { useId, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { View } from '../core/view.ts'
import { useLanguage } from '../i18n/context.tsx'
import base from '../ui/base.module.css'
import { type Card, CardContext } from '../ui/card.ts'
import { useFocus } from './focus.ts'
import { Footer } from './footer.tsx'
import { Header } from './header.tsx'
import { LaterQuestion, useLeaveQuestionAhead } from './later-question.tsx'
import { useSmoothHeight } from './motion.ts'
import { type Layer, useScreenLayers } from './screen-layers.ts'
import styles from './shell.module.css'

type ShellProps = {
  readonly view: View
  readonly onBack: () => void
  readonly onClose: () => void
  /** The screen is drawn and has the focus. */
  readonly onDrawn: () => void
}

/** The card and what is around it: header, footer, backdrop, and the way from one screen to the next. */
export function Shell({ view, onBack, onClose, onDrawn }: ShellProps) {
  const language = useLanguage()
  const id = useId()
  const card = useRef<HTMLElement>(null)
  const body = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const { layers, onLeft } = useScreenLayers(view)
  const closable = view.open && view.header.close
  const [askedAt, setAskedAt] = useState<number>()
  const question = view.screen?.leaveWords(language)
  const asks = closable && askedAt === view.step
  const stay = () => setAskedAt(undefined)
  /** A key or a click beside the card may be a slip; the close button is not. */
  const dismiss = () => {
    if (question) setAskedAt(view.step)
    else onClose()
  }

  useLeaveQuestionAhead(question !== undefined)
  useSmoothHeight(body, content)
  const announcement = useFocus(content, view, onDrawn)
  useEscape(closable && !(asks && question), dismiss)

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
            <Header ways={view.header} onBack={onBack} onClose={onClose} />
            <div ref={body} className={styles.body}>
              <div ref={content} className={styles.content}>
                {layers.map((layer) => (
                  <ScreenLayer
                    key={layer.step}
                    layer={layer}
                    direction={view.direction}
                    titleId={`${id}-${layer.step}`}
                    card={card}
                    onLeft={onLeft}
                  />
                ))}
              </div>
            </div>
            <Footer showsLegal={view.screen?.showsLegal ?? false} />
            <div className={base.unseen} aria-live="polite">
              {announcement}
            </div>
          </section>
        </div>
      </div>
      {asks && question && <LaterQuestion words={question} onStay={stay} onLeave={onClose} />}
    </>
  )
}

/** What is pressed on a screen that is leaving is pressed on nothing. */
const ignore = () => {}

type ScreenLayerProps = {
  readonly layer: Layer
  readonly direction: View['direction']
  readonly titleId: string
  readonly card: { readonly current: Element | null }
  readonly onLeft: (step: number) => void
}

function ScreenLayer({ layer, direction, titleId, card, onLeft }: ScreenLayerProps) {
  const { leaving, step, screen } = layer
  const context = useMemo<Card>(() => ({ titleId, element: () => card.current }), [titleId, card])
  return (
    <div
      className={styles.layer}
      data-leaving={leaving}
      data-direction={direction}
      inert={leaving}
      onAnimationEnd={(event) => leaving && event.target === event.currentTarget && onLeft(step)}
    >
      <CardContext value={context}>
        {screen.draw((Screen, { state, send }) => (
          <Screen state={state} send={leaving ? ignore : send} />
        ))}
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
