import { useId, useMemo, useRef, useState } from 'react'
import type { View } from '../flow/view.ts'
import { useLanguage } from '../i18n/context.tsx'
import base from '../ui/base.module.css'
import { type Card, CardContext } from '../ui/card.ts'
import { useFocus } from './focus.ts'
import { Footer } from './footer.tsx'
import { Header } from './header.tsx'
import { LazyQuestion, useLeaveQuestionAhead } from './lazy-question.tsx'
import { useEscape, useSkip } from './leaving.ts'
import { isMoving, useSmoothHeight } from './motion.ts'
import { type Layer, useScreenLayers } from './screen-layers.ts'
import styles from './shell.module.css'

type ShellProps = {
  readonly view: View
  readonly onBack: () => void
  readonly onClose: () => void
  readonly onSkip: () => void
  /** The screen is drawn, and later has the focus. */
  readonly onDrawn: () => void
  readonly onFocused: () => void
}

/** The card and what is around it: header, footer, backdrop, and the way from one screen to the next. */
export function Shell({ view, onBack, onClose, onSkip, onDrawn, onFocused }: ShellProps) {
  const language = useLanguage()
  const id = useId()
  const card = useRef<HTMLElement>(null)
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
  useSmoothHeight(card, content)
  const announcement = useFocus(content, view, { onDrawn, onFocused })
  useEscape(closable && !view.held && !(asks && question), dismiss)
  useSkip(view.held, view.step, onSkip)
  /** Who presses beside a card that moves may have meant the card. */
  const pressedBeside = useRef(false)

  return (
    <>
      {!view.standalone && (
        // The close button and Escape do the same for who has no pointer.
        <div
          className={styles.backdrop}
          data-open={view.open}
          onMouseDown={(event) => {
            // The focus stays where it is, for who stays.
            event.preventDefault()
            pressedBeside.current = !isMoving(card.current)
          }}
          onClick={() => closable && !view.held && pressedBeside.current && dismiss()}
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
            data-part="card"
          >
            <div className={styles.shadow} data-part="shadow" />
            <div className={styles.edge} data-part="outer">
              <div className={styles.edge} data-part="inner">
                <div className={styles.inside} data-part="inside">
                  <Header
                    ways={view.header}
                    info={view.screen?.infoWords(language)}
                    onBack={onBack}
                    onClose={onClose}
                  />
                  <div className={styles.body}>
                    <div ref={content} className={styles.content}>
                      {layers.map((layer) => (
                        <ScreenLayer
                          key={layer.step}
                          layer={layer}
                          titleId={`${id}-${layer.step}`}
                          card={card}
                          onLeft={onLeft}
                        />
                      ))}
                    </div>
                  </div>
                  <div className={styles.foot} data-part="footer">
                    <Footer showsLegal={view.screen?.showsLegal ?? false} />
                  </div>
                  <div className={base.unseen} aria-live="polite">
                    {announcement}
                  </div>
                </div>
              </div>
            </div>
          </section>
        </div>
      </div>
      {asks && question && <LazyQuestion words={question} onStay={stay} onLeave={onClose} />}
    </>
  )
}

/** What is pressed on a screen that is leaving is pressed on nothing. */
const ignore = () => {}

type ScreenLayerProps = {
  readonly layer: Layer
  readonly titleId: string
  readonly card: { readonly current: Element | null }
  readonly onLeft: (step: number) => void
}

function ScreenLayer({ layer, titleId, card, onLeft }: ScreenLayerProps) {
  const { step, screen, came, leaves } = layer
  const leaving = leaves !== undefined
  const context = useMemo<Card>(() => ({ titleId, element: () => card.current }), [titleId, card])
  return (
    <div
      className={styles.layer}
      data-leaving={leaving}
      data-came={came}
      data-leaves={leaves}
      inert={leaving}
      onAnimationEnd={(event) => event.animationName === styles.leave && onLeft(step)}
    >
      <CardContext value={context}>
        {screen.draw((Screen, { state, send }) => (
          <Screen state={state} send={leaving ? ignore : send} />
        ))}
      </CardContext>
    </div>
  )
}
