import { formatText } from '@latchkey/protocol/texts'
import type { ReactNode } from 'react'
import type { NoEvents, PartProps } from '../../../flow/screen.ts'
import { useLanguage, useTexts } from '../../../i18n/context.tsx'
import { AppQr } from '../../../phone-app/app-qr.tsx'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { Failure } from '../../../ui/feedback/failure.tsx'
import { StatusSeal } from '../../../ui/feedback/status-seal.tsx'
import { Success } from '../../../ui/feedback/success.tsx'
import { Waiting } from '../../../ui/feedback/waiting.tsx'
import { Address, truncateMiddle } from '../../../ui/rows/address.tsx'
import { Heading, Stack } from '../../../ui/stack.tsx'
import { Lead, Title } from '../../../ui/title.tsx'
import type { WalletProblem } from '../problem.ts'
import { anyAtRelay, type WalletFace } from '../sources/offered-wallets.ts'
import type { Meeting } from '../sources/sources.ts'
import { texts } from '../texts.arb'
import { WalletMark } from './wallet-mark.tsx'

export type Step =
  | { status: 'connecting'; meeting?: Meeting }
  | { status: 'switching' }
  /** The wallet is asked for the signature, or is about to be. */
  | { status: 'sign' }
  /** It has signed, and what it signed is being used. */
  | { status: 'signing' }
  /** The wallet is asked to pay. */
  | { status: 'pay' }
  | { status: 'paid' }
  /** The wallet is asked for something by the page. */
  | { status: 'request' }
  | { status: 'success' }
  /** The wallet is connected, and nobody was asked to sign. */
  | { status: 'connected' }
  /** The page wants an account that this one is not. */
  | { status: 'other account'; address: string; wanted: string }
  | { status: 'failed'; problem: WalletProblem; isRepeated: boolean }

export type AwaitingState = {
  wallet: WalletFace
  step: Step
  /** The link opens the wallet's app on this phone, where it is asked. */
  appLink?: string | undefined
}
export type AwaitingEvents = {
  retry: readonly []
  other: readonly []
  install: readonly []
}

const markPx = 32

export function AwaitingScreen({ state, send }: PartProps<AwaitingState, AwaitingEvents>) {
  const { wallet, step, appLink } = state
  const all = useTexts(texts)
  const language = useLanguage()
  const isWay = wallet.key === anyAtRelay.key
  const name = isWay ? all.relay.name : wallet.name
  /** A sentence may begin with the name, which is no proper one where it is a way. */
  const sentence = (text: string) => (isWay ? capitalized(text, language) : text)
  const face = <WalletMark wallet={wallet} size={markPx} />
  switch (step.status) {
    case 'connecting':
      return (
        <Connecting
          name={name}
          scan={isWay ? all.connecting.scanAny : all.connecting.scan({ wallet: name })}
          meeting={step.meeting}
          onInstall={() => send('install')}
        >
          {face}
        </Connecting>
      )
    case 'switching':
    case 'sign':
    case 'pay':
    case 'request':
    case 'signing': {
      const { title, detail } = all[step.status]
      const isAsked = step.status !== 'signing'
      return (
        <Stack>
          <Waiting title={title} detail={sentence(detail({ wallet: name }))}>
            {face}
          </Waiting>
          {isAsked && appLink !== undefined && (
            <ButtonLink href={appLink}>{all.connecting.open({ wallet: name })}</ButtonLink>
          )}
        </Stack>
      )
    }
    case 'paid':
      return <Success title={all.paid.title} detail={sentence(all.paid.detail({ wallet: name }))} />
    case 'success':
    case 'connected':
      return (
        <Success title={all.success.title} detail={sentence(all[step.status].detail({ wallet: name }))} />
      )
    case 'other account': {
      const { title, detail, copy, copied } = all.otherAccount
      return (
        <Stack>
          <StatusSeal status="failed" />
          <Heading>
            <Title>{title}</Title>
            <Lead>{sentence(detail({ wallet: name, address: truncateMiddle(step.address) }))}</Lead>
            <Address address={step.wanted} copyLabel={copy} copiedLabel={copied} />
          </Heading>
          <Button onPress={() => send('retry')}>{all.failed.retry}</Button>
        </Stack>
      )
    }
    case 'failed': {
      const { problem, isRepeated } = step
      const { title, detail } = all.problems[problem]
      const isOther = problem === 'userExists'
      return (
        <Failure
          title={isRepeated && !isOther ? all.failed.unable : title}
          detail={sentence(formatText(detail, { wallet: name }))}
          button={isOther ? all.failed.other : all.failed.retry}
          isOwnChoice={problem === 'rejected'}
          onPress={() => send(isOther ? 'other' : 'retry')}
        />
      )
    }
    default:
      return step satisfies never
  }
}

const capitalized = ([first = '', ...rest]: string, language: string) =>
  first.toLocaleUpperCase(language) + rest.join('')

type ConnectingProps = {
  name: string
  /** The sentence says what to do with the code. */
  scan: string
  meeting: Meeting | undefined
  onInstall: () => void
  children: ReactNode
}

function Connecting({ name, scan, meeting, onInstall, children }: ConnectingProps) {
  const { connecting } = useTexts(texts)
  if (!meeting || meeting.link !== undefined) {
    return (
      <Stack>
        <Waiting title={connecting.title({ wallet: name })} detail={connecting.detail({ wallet: name })}>
          {children}
        </Waiting>
        {meeting?.link !== undefined && (
          <ButtonLink href={meeting.link}>{connecting.open({ wallet: name })}</ButtonLink>
        )}
      </Stack>
    )
  }
  return (
    <Stack>
      <AppQr value={meeting.uri} label={connecting.code} sizePx={qrPx} />
      <Heading>
        <Title>{connecting.title({ wallet: name })}</Title>
        <Lead>{scan}</Lead>
        <Address address={meeting.uri} copyLabel={connecting.copy} copiedLabel={connecting.copied} />
      </Heading>
      {meeting.canInstall && (
        <Button kind="text" onPress={onInstall}>
          {connecting.install}
        </Button>
      )}
    </Stack>
  )
}

/** The address of a meeting is long, so its code is dense. */
const qrPx = 240

export type FailedState = NoEvents
export type FailedEvents = { retry: readonly []; leave: readonly [] }

export function FailedScreen({ send }: PartProps<FailedState, FailedEvents>) {
  const { gaveUp } = useTexts(texts)
  return (
    <Failure title={gaveUp.title} detail={gaveUp.detail} button={gaveUp.retry} onPress={() => send('retry')}>
      <Button kind="quiet" onPress={() => send('leave')}>
        {gaveUp.cancel}
      </Button>
    </Failure>
  )
}
