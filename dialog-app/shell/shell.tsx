import {
  type ComponentType,
  lazy,
  Suspense,
  startTransition,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { InfoWords, ShownScreen, Ways } from '../flow/screen.ts'
import type { View } from '../flow/view.ts'
import { useTexts } from '../i18n/context.tsx'
import { texts as shellTexts } from '../i18n/shell-texts.arb'
import base from '../ui/base.module.css'
import { IconButton } from '../ui/button.tsx'
import { type Card, CardContext } from '../ui/card.ts'
import { useLate } from '../ui/feedback/late.ts'
import { Icon } from '../ui/icon.tsx'
import { useFocus } from './focus.ts'
import { Footer } from './footer.tsx'
import type { InfoButtonProps } from './lazy/info-button.tsx'
import type { LeaveQuestionProps } from './lazy/leave-question.tsx'
import { useEscape, useSkip } from './leaving.ts'
import { isMoving, useSmoothHeight } from './motion.ts'
import styles from './shell.module.css'

type ShellProps = {
  view: View
  onBack: () => void
  onClose: () => void
  onSkip: () => void
  /** Called when the screen is drawn. */
  onDrawn: () => void
  /** Called when the screen has the focus. */
  onFocused: () => void
}

/** The card with its header, footer, backdrop and screen transitions. */
export function Shell({ view: present, onBack, onClose, onSkip, onDrawn, onFocused }: ShellProps) {
  const { view, isOver } = useWaitsThatLast(present)
  const id = useId()
  const card = useRef<HTMLElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const { layers, onLeft } = useScreenLayers(view)
  const closable = view.open && view.header.close
  const [askedAt, setAskedAt] = useState<number>()
  const question = view.screen?.leaveWords
  const asks = closable && askedAt === view.step
  const stay = () => setAskedAt(undefined)
  /** Handles a key or a click beside the card, which may be accidental. The close button needs no confirmation. */
  const dismiss = () => {
    // The transition keeps the card unchanged until the question has loaded.
    if (question) startTransition(() => setAskedAt(view.step))
    else onClose()
  }

  useLeaveQuestionAhead(question !== undefined)
  useSmoothHeight(card, content)
  const announcement = useFocus(content, view, { onDrawn, onFocused })
  useEscape(closable && !view.held && !(asks && question), dismiss)
  useSkip(view.held, view.step, onSkip)
  /** False while the card moves, because the user may have aimed at the card. */
  const pressedBeside = useRef(false)

  return (
    <>
      {!view.standalone && (
        // Without a pointer, the close button and Escape do the same.
        <div
          className={styles.backdrop}
          data-open={view.open}
          onMouseDown={(event) => {
            // Keeps the focus in the card, in case the user stays.
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
                    info={view.screen?.infoWords}
                    onBack={onBack}
                    onClose={onClose}
                  />
                  <div className={styles.body}>
                    <div ref={content} className={styles.content}>
                      {layers.map((layer) => (
                        <ScreenLayer
                          key={layer.screen.id}
                          layer={layer}
                          titleId={`${id}-${layer.step ?? layer.screen.id}`}
                          card={card}
                          isOver={isOver || layer.leaves !== undefined}
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
      <Suspense>
        {asks && question && <LeaveQuestion words={question} onStay={stay} onLeave={onClose} />}
      </Suspense>
    </>
  )
}

const loadQuestion = () => import('./lazy/leave-question.tsx')

/** Preloads the leave question while a screen that needs it is visible. */
function useLeaveQuestionAhead(mayBeAsked: boolean) {
  useEffect(() => {
    if (mayBeAsked) loadQuestion().catch(() => {})
  }, [mayBeAsked])
}

/** Closes the card without a question if its code fails to load. */
const LeaveQuestion = lazy<ComponentType<LeaveQuestionProps>>(() =>
  loadQuestion().then(
    (loaded) => ({ default: loaded.LeaveQuestion }),
    () => ({ default: LeaveUnasked }),
  ),
)

function LeaveUnasked({ onLeave }: LeaveQuestionProps) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: it leaves once, when it takes the place of the question.
  useEffect(onLeave, [])
  return null
}

/**
 * Delays waiting screens. Until a wait has lasted for a moment, the previous screen stays visible but inactive. Without
 * an open card, the waiting screen is shown at once.
 */
function useWaitsThatLast(present: View): { view: View; isOver: boolean } {
  const waits = present.open && present.screen?.waits === true
  const lasts = useLate(waits)
  const [last, setLast] = useState(present)
  const keepsLast = waits && !lasts && last.open && last.screen !== undefined
  // Derived during render, so that other screens are drawn at once.
  if (!keepsLast && last !== present) setLast(present)
  if (!keepsLast) return { view: present, isOver: false }
  const { screen, step, direction } = last
  // A screen that ends its own wait must be mounted meanwhile.
  const covered = present.screen ? [...present.covered, present.screen] : present.covered
  return { view: { ...present, screen, step, direction, covered }, isOver: screen !== present.screen }
}

type Layer = {
  /** Undefined while the screen is covered. */
  step: number | undefined
  screen: ShownScreen
  /** The direction of its entry animation. Undefined for the first screen. */
  came: View['direction'] | undefined
  /** The direction of its exit animation. */
  leaves: View['direction'] | undefined
}

/** Returns the covered screens that stay mounted, the present screen, and the one that is just leaving. */
function useScreenLayers(view: View): {
  layers: readonly Layer[]
  onLeft: (step: number) => void
} {
  const [present, setPresent] = useState<Layer>()
  const [leaving, setLeaving] = useState<Layer>()
  const { screen, step, direction } = view
  if (screen && (present?.step !== step || present.screen !== screen)) {
    // Derived during render: the new screen never waits for a second pass.
    // https://react.dev/reference/react/useState#storing-information-from-previous-renders
    const isSameScreen = present?.screen.id === screen.id
    // A screen between these two may have ended before it was drawn.
    const isNew = present?.step !== step && !isSameScreen
    if (present && isNew) setLeaving({ ...present, leaves: direction })
    setPresent({ step, screen, came: isNew ? present && direction : present.came, leaves: undefined })
  }
  // A background tab draws no frames, so no animation ends.
  useEffect(() => {
    if (!leaving) return
    const drop = () => document.hidden && setLeaving(undefined)
    drop()
    document.addEventListener('visibilitychange', drop)
    return () => document.removeEventListener('visibilitychange', drop)
  }, [leaving])
  const isUncovered = leaving && present?.came === 'back'
  // A mounted element never moves among the others, because a moved frame loads again.
  const visible = (isUncovered ? [present, leaving] : [leaving, present]).filter(
    (layer) => layer !== undefined,
  )
  const covered = view.covered.filter(({ id }) => visible.every((layer) => layer.screen.id !== id))
  return {
    layers: [
      ...covered.map((each) => ({ step: undefined, screen: each, came: undefined, leaves: undefined })),
      ...visible,
    ],
    onLeft: (left) => setLeaving((layer) => (layer?.step === left ? undefined : layer)),
  }
}

type ScreenLayerProps = {
  layer: Layer
  titleId: string
  card: { current: Element | null }
  /** Whether it ignores input, because another screen follows. */
  isOver: boolean
  onLeft: (step: number) => void
}

function ScreenLayer({ layer, titleId, card, isOver, onLeft }: ScreenLayerProps) {
  const { step, screen, came, leaves } = layer
  const leaving = leaves !== undefined
  const isCovered = step === undefined
  const context = useMemo<Card>(() => ({ titleId, element: () => card.current }), [titleId, card])
  return (
    <div
      className={styles.layer}
      data-leaving={isCovered ? undefined : leaving}
      data-came={came}
      data-leaves={leaves}
      hidden={isCovered}
      inert={isOver}
      onAnimationEnd={(event) => !isCovered && event.animationName === styles.leave && onLeft(step)}
    >
      <div className={styles.arrival}>
        <CardContext value={context}>{screen.render()}</CardContext>
      </div>
    </div>
  )
}

type HeaderProps = {
  ways: Ways
  info: InfoWords | undefined
  onBack: () => void
  onClose: () => void
}

function Header({ ways, info, onBack, onClose }: HeaderProps) {
  const { back, close } = useTexts(shellTexts)
  return (
    <header className={styles.header}>
      {ways.back && <IconButton icon={<Icon name="back" />} label={back} onPress={onBack} />}
      <span className={styles.gap} />
      <Suspense>{info && <InfoButton words={info} />}</Suspense>
      {ways.close && <IconButton icon={<Icon name="close" />} label={close} onPress={onClose} />}
    </header>
  )
}

/** Loads on demand, because few screens need it. Renders nothing if its code fails to load. */
const InfoButton = lazy<ComponentType<InfoButtonProps>>(() =>
  import('./lazy/info-button.tsx').then(
    (loaded) => ({ default: loaded.InfoButton }),
    () => ({ default: () => null }),
  ),
)
