import { LatchkeyError } from '@latchkey/protocol'
import { type PasskeyAnswer, type PasskeyCeremony, passkeyPageRoutes } from '@latchkey/protocol/api'
import { useEffect, useEffectEvent, useState } from 'react'
import type { Transport } from '../../api/transport.ts'
import type { ScreenProps } from '../../app/screen.ts'
import { useContentChange } from '../../app/screen-options.ts'
import { useTexts } from '../../i18n/context.tsx'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/feedback/failure.tsx'
import { StatusSeal } from '../../ui/feedback/status-seal.tsx'
import { Success } from '../../ui/feedback/success.tsx'
import { Waiting } from '../../ui/feedback/waiting.tsx'
import { Banner } from '../../ui/lazy/banner.tsx'
import { Mark } from '../../ui/marks/mark.tsx'
import { Heading, Stack } from '../../ui/stack.tsx'
import { Lead, Title } from '../../ui/title.tsx'
import type { Authenticator } from '../authenticator.ts'
import { passkey } from '../passkey-mark.ts'
import { texts } from './texts.arb'

export type PasskeyPageState =
  | { status: 'reading' | 'asking' | 'telling' | 'answered' | 'refused' }
  | {
      status: 'ready'
      ceremony: PasskeyCeremony
      /** The origin of the requesting page, or null for a standalone dialog. */
      origin: string | null
      /** The previous prompt was refused. */
      wasRefused: boolean
    }
  | { status: 'over'; why: 'answered' | 'unknown' }
  /** The server did not answer a call, which the button repeats. The device's answer is kept for that. */
  | { status: 'unreachable'; retry: () => Promise<void> }

type Props = ScreenProps<
  undefined,
  {
    transport: Transport
    authenticator: Authenticator
    appName: string
    ceremonyHandle: string
    signal: AbortSignal
  }
>

/** Resolves when the server has the answer, and stays. */
export function PasskeyPageScreen(props: Props) {
  const { transport, authenticator, appName, ceremonyHandle, signal, screen } = props
  const options = { token: null, signal }
  const [state, show] = useState<PasskeyPageState>({ status: 'reading' })
  useContentChange(state.status)

  async function read() {
    show({ status: 'reading' })
    try {
      const body = { handle: ceremonyHandle }
      const response = await transport.send(passkeyPageRoutes.readPasskeyCeremony, body, options)
      show(
        response.status === 'open'
          ? { ...response, status: 'ready', wasRefused: false }
          : { status: 'over', why: 'answered' },
      )
    } catch (error) {
      fail(error, read)
    }
  }
  const begin = useEffectEvent(() => void read())
  useEffect(begin, [])

  /** Runs synchronously in the press, because some browsers refuse prompts after an await. */
  async function ask(ready: Extract<PasskeyPageState, { status: 'ready' }>) {
    show({ status: 'asking' })
    let answer: PasskeyAnswer
    try {
      answer = await runCeremony(ready.ceremony)
    } catch {
      show({ ...ready, wasRefused: true })
      return
    }
    await sendAnswer(answer)
  }

  const runCeremony = async (ceremony: PasskeyCeremony): Promise<PasskeyAnswer> =>
    ceremony.type === 'get'
      ? { type: 'get', assertion: await authenticator.get(ceremony.options, signal) }
      : { type: 'create', attestation: await authenticator.create(ceremony.options, signal) }

  async function sendAnswer(answer: PasskeyAnswer) {
    show({ status: 'telling' })
    try {
      const body = { handle: ceremonyHandle, answer }
      await transport.send(passkeyPageRoutes.answerPasskeyCeremony, body, options)
    } catch (error) {
      fail(error, () => sendAnswer(answer))
      return
    }
    show({ status: answer.type === 'refused' ? 'refused' : 'answered' })
    screen.resolve(undefined)
  }

  function fail(error: unknown, retry: () => Promise<void>) {
    const isUnknown = error instanceof LatchkeyError && error.code === 'not_found'
    show(isUnknown ? { status: 'over', why: 'unknown' } : { status: 'unreachable', retry })
  }

  return (
    <PasskeyPageView
      appName={appName}
      state={state}
      onAsk={() => state.status === 'ready' && void ask(state)}
      onLeave={() => void sendAnswer({ type: 'refused' })}
      onRetry={() => state.status === 'unreachable' && void state.retry()}
    />
  )
}

export type PasskeyPageViewProps = {
  appName: string
  state: PasskeyPageState
  /** Must be called in the click, because it starts the device prompt. */
  onAsk: () => void
  onLeave: () => void
  onRetry: () => void
}

export function PasskeyPageView({ appName, state, onAsk, onLeave, onRetry }: PasskeyPageViewProps) {
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
      const { title, detail, go } = page[state.ceremony.type]
      return (
        <Stack>
          <Heading>
            <Title>{title}</Title>
            <Lead>{detail({ app: appName })}</Lead>
            {state.origin !== null && (
              <Lead>
                <bdi dir="ltr">{state.origin.replace(/^https:\/\//, '')}</bdi>
              </Lead>
            )}
          </Heading>
          {state.wasRefused && <Banner kind="info">{page.wasRefused}</Banner>}
          <Button onPress={onAsk}>{go}</Button>
          <Button kind="text" onPress={onLeave}>
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
          onPress={onRetry}
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
