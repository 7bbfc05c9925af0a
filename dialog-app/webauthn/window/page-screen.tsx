import type { PartProps } from '../../flow/screen.ts'
import { useTexts } from '../../i18n/context.tsx'
import { Button } from '../../ui/button.tsx'
import { Banner } from '../../ui/feedback/banner.tsx'
import { Failure } from '../../ui/feedback/failure.tsx'
import { StatusSeal } from '../../ui/feedback/status-seal.tsx'
import { Success } from '../../ui/feedback/success.tsx'
import { Waiting } from '../../ui/feedback/waiting.tsx'
import { Mark } from '../../ui/marks/mark.tsx'
import { Heading, Stack } from '../../ui/stack.tsx'
import { Lead, Title } from '../../ui/title.tsx'
import { passkey } from '../passkey-mark.ts'
import { texts } from './texts.arb'

export type PasskeyPageState =
  | { status: 'reading' | 'asking' | 'telling' | 'answered' | 'refused' | 'unreachable' }
  | {
      status: 'ready'
      asks: 'get' | 'create'
      appName: string
      /** The origin of the requesting page, or null for a standalone dialog. */
      origin: string | null
      /** The previous prompt was refused. */
      wasRefused: boolean
    }
  | { status: 'over'; why: 'answered' | 'unknown' }
export type PasskeyPageEvents = {
  /** Must be sent in the click, because it starts the device prompt. */
  ask: readonly []
  leave: readonly []
  retry: readonly []
}

export function PasskeyPageScreen({ state, send }: PartProps<PasskeyPageState, PasskeyPageEvents>) {
  const { page } = useTexts(texts)
  const face = <Mark drawing={passkey} size={32} />
  switch (state.status) {
    case 'reading':
    case 'asking':
    case 'telling':
      return (
        <Waiting title={page[state.status].title} detail={page[state.status].detail}>
          {face}
        </Waiting>
      )
    case 'ready': {
      const { title, detail, go } = page[state.asks]
      return (
        <Stack>
          <Heading>
            <Title>{title}</Title>
            <Lead>{detail({ app: state.appName })}</Lead>
            {state.origin !== null && (
              <Lead>
                <bdi dir="ltr">{state.origin.replace(/^https:\/\//, '')}</bdi>
              </Lead>
            )}
          </Heading>
          {state.wasRefused && <Banner kind="info">{page.wasRefused}</Banner>}
          <Button onPress={() => send('ask')}>{go}</Button>
          <Button kind="text" onPress={() => send('leave')}>
            {page.cancel}
          </Button>
        </Stack>
      )
    }
    case 'answered':
      return <Success title={page.answered.title} detail={page.answered.detail} />
    case 'refused':
      return <Over status="stopped" {...page.refused} />
    case 'over':
      return <Over status="failed" {...page.over[state.why]} />
    case 'unreachable':
      return (
        <Failure
          title={page.unreachable.title}
          detail={page.unreachable.detail}
          button={page.unreachable.retry}
          onPress={() => send('retry')}
        />
      )
    default:
      return state satisfies never
  }
}

type OverProps = {
  status: 'failed' | 'stopped'
  title: string
  detail: string
}

/** A final state without actions. */
const Over = ({ status, title, detail }: OverProps) => (
  <Stack>
    <StatusSeal status={status} />
    <Heading>
      <Title>{title}</Title>
      <Lead>{detail}</Lead>
    </Heading>
  </Stack>
)
