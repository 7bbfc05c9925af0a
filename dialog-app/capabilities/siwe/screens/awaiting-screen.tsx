import { formatText } from '@latchkey/protocol/texts'
import type { ReactNode } from 'react'
import type { ScreenProps } from '../../../app/screen.ts'
import { useContentChange, useHeader, useWaits } from '../../../app/screen-options.ts'
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
import type { ConnectionStep } from '../connection/connection-state.ts'
import { type ConnectionProps, useWalletConnection } from '../connection/use-wallet-connection.ts'
import { anyAtRelay, type WalletFace } from '../sources/offered-wallets.ts'
import type { Meeting } from '../sources/sources.ts'
import { texts } from '../texts.arb'
import { WalletMark } from './wallet-mark.tsx'

export function AwaitingScreen(props: ConnectionProps) {
  const { step, appLink, retry, chooseOther, install } = useWalletConnection(props)
  useHeader({ back: !isSigned(step), close: true })
  useWaits(isWait(step))
  useContentChange(step.status)
  return (
    <AwaitingView
      wallet={props.wallet}
      step={step}
      appLink={appLink}
      onRetry={retry}
      onOther={chooseOther}
      onInstall={install}
    />
  )
}

/** The signature is in use. There is no way back from that. */
const isSigned = ({ status }: ConnectionStep) =>
  status === 'signing' || status === 'success' || status === 'connected' || status === 'paid'
/** A wallet in this browser may answer immediately. A code has to be scanned first. */
const isWait = (step: ConnectionStep) =>
  step.status === 'connecting' ? !step.meeting : waits.includes(step.status)
const waits: readonly ConnectionStep['status'][] = ['switching', 'sign', 'signing', 'pay']

export type RequestProps = {
  wallet: WalletFace
  status: 'switching' | 'request'
  appLink: string | undefined
}

export function RequestScreen({ wallet, status, appLink }: RequestProps) {
  useWaits(status === 'switching')
  return <AwaitingView wallet={wallet} step={{ status }} appLink={appLink} {...noActions} />
}
const noActions = { onRetry() {}, onOther() {}, onInstall() {} }

export type AwaitingViewProps = {
  wallet: WalletFace
  step: ConnectionStep
  /** The link opens the wallet's app on this phone. */
  appLink?: string | undefined
  onRetry: () => void
  onOther: () => void
  onInstall: () => void
}

const markPx = 32

export function AwaitingView({ wallet, step, appLink, onRetry, onOther, onInstall }: AwaitingViewProps) {
  const all = useTexts(texts)
  const language = useLanguage()
  const isWay = wallet.key === anyAtRelay.key
  const name = isWay ? all.relay.name : wallet.name
  /** A sentence may begin with the name, which is lower-case for WalletConnect. */
  const sentence = (text: string) => (isWay ? capitalized(text, language) : text)
  const face = <WalletMark wallet={wallet} size={markPx} />
  switch (step.status) {
    case 'connecting':
      return (
        <Connecting
          name={name}
          scan={isWay ? all.connecting.scanAny : all.connecting.scan({ wallet: name })}
          meeting={step.meeting}
          onInstall={onInstall}
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
          <Button onPress={onRetry}>{all.failed.retry}</Button>
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
          onPress={isOther ? onOther : onRetry}
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
  /** The instructions for the code. */
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

/** Pairing URIs are long, so their QR codes are dense. */
const qrPx = 240

export const FailedScreen = ({ screen }: ScreenProps<'start over' | 'leave'>) => (
  <FailedView onRetry={() => screen.resolve('start over')} onLeave={() => screen.resolve('leave')} />
)

export function FailedView({ onRetry, onLeave }: { onRetry: () => void; onLeave: () => void }) {
  const { gaveUp } = useTexts(texts)
  return (
    <Failure title={gaveUp.title} detail={gaveUp.detail} button={gaveUp.retry} onPress={onRetry}>
      <Button kind="quiet" onPress={onLeave}>
        {gaveUp.cancel}
      </Button>
    </Failure>
  )
}
