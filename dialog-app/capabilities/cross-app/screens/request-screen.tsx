import { formatText } from '@latchkey/protocol/texts'
import type { ScreenProps } from '../../../app/screen.ts'
import { useWaits } from '../../../app/screen-options.ts'
import { useTexts } from '../../../i18n/context.tsx'
import { texts as shellTexts } from '../../../i18n/shell-texts.arb'
import { Button } from '../../../ui/button.tsx'
import { Failure } from '../../../ui/feedback/failure.tsx'
import { StatusSeal } from '../../../ui/feedback/status-seal.tsx'
import { Success } from '../../../ui/feedback/success.tsx'
import { Waiting } from '../../../ui/feedback/waiting.tsx'
import { Address } from '../../../ui/rows/address.tsx'
import { Fact, Facts } from '../../../ui/rows/facts.tsx'
import { Heading, Stack } from '../../../ui/stack.tsx'
import { Lead, Title } from '../../../ui/title.tsx'
import { type ProviderApp, providerAppOf } from '../provider/provider-app.ts'
import type { RequestPhase } from '../request/request-state.ts'
import { type RequestProps, useRequest } from '../request/use-request.ts'
import { texts } from '../texts.arb'
import { ProviderMark } from './provider-mark.tsx'
import { WindowWait } from './window-wait.tsx'

const kinds = {
  personal_sign: 'message',
  eth_signTypedData_v4: 'typed-data',
  eth_sendTransaction: 'transaction',
} as const

export function RequestScreen({ screen, ...props }: ScreenProps<string, RequestProps>) {
  const { phase, open } = useRequest(props, screen)
  const { connection, asked } = props.order
  useWaits(phase.at === 'connecting')
  return (
    <RequestView
      phase={phase}
      app={providerAppOf(connection)}
      address={asked.address}
      kind={kinds[asked.request.method]}
      onOpen={open}
      onLeave={screen.leave}
    />
  )
}

export type RequestViewProps = {
  phase: RequestPhase
  app: ProviderApp
  address: string
  kind: (typeof kinds)[keyof typeof kinds]
  /** Opens a window, so it must run within the click. */
  onOpen: () => void
  onLeave: () => void
}

export function RequestView({ phase, app, address, kind, onOpen, onLeave }: RequestViewProps) {
  const { request, continueWith, confirmed, failed, failures, problems, close, retry } = useTexts(texts)
  const { address: words } = useTexts(shellTexts)
  switch (phase.at) {
    case 'ready':
    case 'lost': {
      const isLost = phase.at === 'lost'
      const title = isLost ? request.lost.title : request.titles[kind]
      return (
        <Stack>
          <StatusSeal status="waiting">
            <ProviderMark app={app} size={32} />
          </StatusSeal>
          <Heading>
            <Title>{title({ app: app.name })}</Title>
            <Lead>{(isLost ? request.lost : request).detail({ app: app.name })}</Lead>
          </Heading>
          <Facts>
            <Fact term={request.wallet}>
              <Address address={address} copyLabel={words.copy} copiedLabel={words.copied} />
            </Fact>
          </Facts>
          <Button onPress={onOpen}>
            {isLost ? request.lost.connect({ app: app.name }) : continueWith({ app: app.name })}
          </Button>
        </Stack>
      )
    }
    case 'waiting': {
      const { window, digits } = phase
      return (
        <WindowWait app={app} window={window} {...(digits !== undefined && { digits })} onOpen={onOpen} />
      )
    }
    case 'connecting':
      return (
        <Waiting title={confirmed.title({ app: app.name })} detail={confirmed.detail}>
          <ProviderMark app={app} size={32} />
        </Waiting>
      )
    case 'granted': {
      const { title, detail } = request.done[kind]
      return <Success title={title} detail={detail({ app: app.name })} />
    }
    case 'failed': {
      const { text, isRetryable } = phase
      return (
        <Failure
          title={failed.title}
          detail={
            text.of === 'auth' ? formatText(failures[text.text], { app: app.name }) : problems[text.text]
          }
          button={isRetryable ? retry : close}
          isOwnChoice={text.text === 'denied'}
          onPress={isRetryable ? onOpen : onLeave}
        />
      )
    }
    default:
      return phase satisfies never
  }
}
