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
      /** What the window reads as. One that reads as closed, or of which nothing can be read, may be open all the same. */
      window: 'to open' | 'open' | 'closed' | 'none' | 'leaving'
      /** What a window asks for of which nothing can be read. */
      digits?: string
    }
  /** The provider has answered, and what it said is being used. */
  | { status: 'confirmed' }
  | { status: 'success' }
  | ({ status: 'failed' } & Said)
)
export type WaitingEvents = {
  /** Opens a window, so it is sent in the click. */
  open: readonly []
  leave: readonly []
}

/** What a provider is called and looks like, the same in every language. */
export type Look = { title: string; mark: MarkDrawing }

export function WindowWaiting<Provider>({
  look: { title, mark },
  state,
  send,
}: PartProps<WaitingState<Provider>, WaitingEvents> & { look: Look }) {
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
