import { type Ref, useRef } from 'react'
import type { ScreenProps } from '../../app/screen.ts'
import { useTexts } from '../../i18n/context.tsx'
import { Button } from '../../ui/button.tsx'
import { StatusSeal } from '../../ui/feedback/status-seal.tsx'
import { Heading, Stack } from '../../ui/stack.tsx'
import { Lead, Title } from '../../ui/title.tsx'
import styles from './captcha-screen.module.css'
import { type Texts as CaptchaTexts, texts } from './texts.arb'
import { type CaptchaOptions, type Check, useCaptcha } from './use-captcha.ts'

/** Stands before the call that starts a login. Resolves with the token. */
export function CaptchaScreen({ screen, ...options }: ScreenProps<string, CaptchaOptions>) {
  const place = useRef<HTMLDivElement>(null)
  const { retry, ...check } = useCaptcha(options, place, screen)
  return <CaptchaView {...check} place={place} onRetry={retry} onLeave={screen.leave} />
}

export type CaptchaViewProps = Check & {
  /** The element for the widget, the same throughout the screen. */
  place?: Ref<HTMLDivElement>
  onRetry: () => void
  onLeave: () => void
}

export function CaptchaView({ status, retriesLeft, place, onRetry, onLeave }: CaptchaViewProps) {
  const words = useTexts(texts)
  const { seal, title, detail } = contentFor(status, retriesLeft, words)
  return (
    <Stack>
      {seal && <StatusSeal status={seal} />}
      <Heading>
        <Title>{title}</Title>
        <Lead>{detail}</Lead>
      </Heading>
      <div ref={place} className={styles.place} hidden={status === 'failed'} />
      {status === 'failed' &&
        (retriesLeft > 0 ? (
          <Button onPress={onRetry}>{words.error.again}</Button>
        ) : (
          <Button onPress={onLeave}>{words.error.back}</Button>
        ))}
    </Stack>
  )
}

function contentFor(
  status: Check['status'],
  retriesLeft: number,
  { waiting, asking, success, error }: CaptchaTexts,
) {
  switch (status) {
    case 'loading':
    case 'retrying':
      return { seal: 'waiting', ...waiting } as const
    // While the widget waits for the user, nothing proceeds by itself.
    case 'asking':
      return { seal: undefined, title: waiting.title, detail: asking }
    case 'passed':
      return { seal: 'done', ...success } as const
    case 'failed': {
      const detail = retriesLeft > 0 ? error.failed : error.usedUp
      return { seal: 'failed', title: error.title, detail } as const
    }
    default:
      return status satisfies never
  }
}
