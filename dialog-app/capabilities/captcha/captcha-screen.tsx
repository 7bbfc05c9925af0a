import { useEffect, useRef } from 'react'
import type { PartProps } from '../../flow/screen.ts'
import { useTexts } from '../../i18n/context.tsx'
import { Button } from '../../ui/button.tsx'
import { StatusSeal } from '../../ui/feedback/status-seal.tsx'
import { Heading, Stack } from '../../ui/stack.tsx'
import { Lead, Title } from '../../ui/title.tsx'
import styles from './captcha-screen.module.css'
import { type Texts as CaptchaTexts, texts } from './texts.arb'

export type CaptchaState =
  /** `asking`: the widget waits for its user. */
  | { status: 'ready' | 'loading' | 'asking' | 'error'; retriesLeft: number }
  | { status: 'success'; token: string }
export type CaptchaEvents = {
  /** The widget goes there: the element is the same as long as the screen is. */
  placed: readonly [place: Element]
  retry: readonly []
  leave: readonly []
}

const seals = {
  ready: 'waiting',
  loading: 'waiting',
  success: 'done',
  error: 'failed',
} as const

export function CaptchaScreen({ state, send }: PartProps<CaptchaState, CaptchaEvents>) {
  const said = useTexts(texts)
  const { title, detail } = wordsOf(state, said)
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (place.current) send('placed', place.current)
  }, [send])
  return (
    <Stack>
      {/* While the box waits for its user, nothing goes on by itself. */}
      {state.status !== 'asking' && <StatusSeal status={seals[state.status]} />}
      <Heading>
        <Title>{title}</Title>
        <Lead>{detail}</Lead>
      </Heading>
      <div ref={place} className={styles.place} hidden={state.status === 'error'} />
      {state.status === 'error' &&
        (state.retriesLeft > 0 ? (
          <Button onPress={() => send('retry')}>{said.error.again}</Button>
        ) : (
          <Button onPress={() => send('leave')}>{said.error.back}</Button>
        ))}
    </Stack>
  )
}

function wordsOf(state: CaptchaState, { waiting, asking, success, error }: CaptchaTexts) {
  switch (state.status) {
    case 'ready':
    case 'loading':
      return waiting
    case 'asking':
      return { title: waiting.title, detail: asking }
    case 'success':
      return success
    case 'error':
      return { title: error.title, detail: state.retriesLeft > 0 ? error.failed : error.usedUp }
    default:
      return state satisfies never
  }
}
