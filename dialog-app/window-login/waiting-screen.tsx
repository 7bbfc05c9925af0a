import { formatText } from '@latchkey/protocol/texts'
import type { PartProps } from '../flow/screen.ts'
import { useTexts } from '../i18n/context.tsx'
import { Button } from '../ui/button.tsx'
import { Failure } from '../ui/feedback/failure.tsx'
import { Success } from '../ui/feedback/success.tsx'
import { Waiting } from '../ui/feedback/waiting.tsx'
import { Mark, type MarkDrawing } from '../ui/marks/mark.tsx'
import { Heading, Stack } from '../ui/stack.tsx'
import { Lead, Title } from '../ui/title.tsx'
import type { WindowFailure } from './failures.ts'
import { texts } from './texts.arb'
import { WindowDigits } from './window-digits.tsx'

export type WaitingState<Provider, Said = WindowFailure> = { provider: Provider } & (
  | {
      status: 'verifying'
      /** The readable state of the window. It may be open although it reads as closed or is unreadable. */
      window: 'to open' | 'open' | 'closed' | 'none' | 'leaving'
      /** The digits that an unreadable window asks for. */
      digits?: string
    }
  /** The provider has responded, and the response is being redeemed. */
  | { status: 'confirmed' }
  | { status: 'success' }
  | ({ status: 'failed' } & Said)
)
export type WaitingEvents = {
  /** Must be sent in the click, because it opens a window. */
  open: readonly []
  leave: readonly []
}

/** A provider's name and mark, equal in every language. */
export type WaitingHeader = { title: string; mark: MarkDrawing }

export function WindowWaiting<Provider>({
  look: { title, mark },
  state,
  send,
}: PartProps<WaitingState<Provider>, WaitingEvents> & { look: WaitingHeader }) {
  const { continueWith, toOpen, waiting, verifying, success, failed, failures } = useTexts(texts)
  const face = <Mark drawing={mark} size={32} />
  const open = () => send('open')
  switch (state.status) {
    case 'verifying':
      if (state.window === 'to open') {
        return (
          <Stack>
            <Heading>
              <Title>{toOpen.title}</Title>
              <Lead>{toOpen.detail({ provider: title })}</Lead>
            </Heading>
            <Button onPress={open}>{continueWith({ provider: title })}</Button>
          </Stack>
        )
      }
      if (state.window === 'none') {
        return (
          <Stack>
            <Waiting title={waiting.title({ provider: title })} detail={waiting.none({ provider: title })}>
              {face}
            </Waiting>
            {state.digits !== undefined && <WindowDigits>{state.digits}</WindowDigits>}
            <Button onPress={open}>{continueWith({ provider: title })}</Button>
          </Stack>
        )
      }
      return (
        <Stack>
          <Waiting
            title={waiting.title({ provider: title })}
            detail={waiting[state.window]({ provider: title })}
          >
            {face}
          </Waiting>
          {state.window === 'closed' && <Button onPress={open}>{waiting.again}</Button>}
        </Stack>
      )
    case 'confirmed':
      return (
        <Waiting title={verifying.title({ provider: title })} detail={verifying.detail}>
          {face}
        </Waiting>
      )
    case 'success':
      return (
        <Success title={success.title({ provider: title })} detail={success.detail({ provider: title })} />
      )
    case 'failed':
      return (
        <Failure
          title={failed.title}
          detail={formatText(failures[state.text], { provider: title })}
          button={state.isRetryable ? failed.retry : failed.back}
          isOwnChoice={state.text === 'denied'}
          onPress={state.isRetryable ? open : () => send('leave')}
        />
      )
    default:
      return state satisfies never
  }
}
