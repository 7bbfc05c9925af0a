import { formatText } from '@latchkey/protocol/texts'
import type { PartProps } from '../../../flow/screen.ts'
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
import type { WindowState } from '../../../window-login/window-tries.ts'
import type { AuthFailure } from '../failures.ts'
import type { ProviderApp } from '../provider/provider-app.ts'
import { type Texts as CrossAppTexts, texts } from '../texts.arb'
import { ProviderMark } from './provider-mark.tsx'
import { WindowWait } from './window-wait.tsx'

export type RequestStep =
  | { status: 'ready' }
  /** The provider wants its user to log in once more. */
  | { status: 'lost' }
  | ({ status: 'waiting' } & WindowState)
  | { status: 'connecting' }
  | { status: 'success' }
  | {
      status: 'failed'
      text:
        | { of: 'auth'; text: AuthFailure['text'] }
        | { of: 'request'; text: keyof CrossAppTexts['problems'] }
      isRetryable: boolean
    }
export type RequestState = RequestStep & {
  app: ProviderApp
  address: string
  what: keyof CrossAppTexts['request']['titles']
}
/** `open` opens a window, so it is sent in the click. */
export type RequestEvents = { open: readonly []; leave: readonly [] }

export function RequestScreen({ state, send }: PartProps<RequestState, RequestEvents>) {
  const { request, continueWith, confirmed, failed, failures, problems, close, retry } = useTexts(texts)
  const { address: words } = useTexts(shellTexts)
  const { app, address, what } = state
  const open = () => send('open')
  switch (state.status) {
    case 'ready':
    case 'lost': {
      const isLost = state.status === 'lost'
      const title = isLost ? request.lost.title : request.titles[what]
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
          <Button onPress={open}>
            {isLost ? request.lost.connect({ app: app.name }) : continueWith({ app: app.name })}
          </Button>
        </Stack>
      )
    }
    case 'waiting': {
      const { window, digits } = state
      return <WindowWait app={app} window={window} {...(digits !== undefined && { digits })} onOpen={open} />
    }
    case 'connecting':
      return (
        <Waiting title={confirmed.title({ app: app.name })} detail={confirmed.detail}>
          <ProviderMark app={app} size={32} />
        </Waiting>
      )
    case 'success': {
      const { title, detail } = request.done[what]
      return <Success title={title} detail={detail({ app: app.name })} />
    }
    case 'failed': {
      const { text, isRetryable } = state
      return (
        <Failure
          title={failed.title}
          detail={
            text.of === 'auth' ? formatText(failures[text.text], { app: app.name }) : problems[text.text]
          }
          button={isRetryable ? retry : close}
          isOwnChoice={text.text === 'denied'}
          onPress={isRetryable ? open : () => send('leave')}
        />
      )
    }
    default:
      return state satisfies never
  }
}
