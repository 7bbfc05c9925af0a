import { formatText } from '@latchkey/protocol/texts'
import { useTexts } from '../i18n/context.tsx'
import { Button } from '../ui/button.tsx'
import { Failure } from '../ui/feedback/failure.tsx'
import { Success } from '../ui/feedback/success.tsx'
import { Waiting } from '../ui/feedback/waiting.tsx'
import { Mark } from '../ui/marks/mark.tsx'
import { Heading, Stack } from '../ui/stack.tsx'
import { Lead, Title } from '../ui/title.tsx'
import type { ProviderLook } from './entry.tsx'
import type { WindowFailure } from './failures.ts'
import { texts } from './texts.arb'
import type { WaitingViewProps } from './use-window-login.ts'
import { WindowDigits } from './window-digits.tsx'

export type WindowWaitingProps = WaitingViewProps<WindowFailure> & { look: ProviderLook }

export function WindowWaiting({ look: { title, mark }, state, onOpen, onLeave }: WindowWaitingProps) {
  const { continueWith, toOpen, waiting, verifying, success, failed, failures } = useTexts(texts)
  const face = <Mark drawing={mark} size={32} />
  switch (state.status) {
    case 'verifying':
      if (state.window === 'to open') {
        return (
          <Stack>
            <Heading>
              <Title>{toOpen.title}</Title>
              <Lead>{toOpen.detail({ provider: title })}</Lead>
            </Heading>
            <Button onPress={onOpen}>{continueWith({ provider: title })}</Button>
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
            <Button onPress={onOpen}>{continueWith({ provider: title })}</Button>
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
          {state.window === 'closed' && <Button onPress={onOpen}>{waiting.again}</Button>}
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
          onPress={state.isRetryable ? onOpen : onLeave}
        />
      )
    default:
      return state satisfies never
  }
}
