import type { PartProps } from '../../flow/screen.ts'
import { useTexts } from '../../i18n/context.tsx'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/feedback/failure.tsx'
import { Waiting } from '../../ui/feedback/waiting.tsx'
import { Mark } from '../../ui/marks/mark.tsx'
import { Heading, Stack } from '../../ui/stack.tsx'
import { Lead, Title } from '../../ui/title.tsx'
import { WindowDigits } from '../../window-login/window-digits.tsx'
import { passkey } from '../passkey-mark.ts'
import { texts } from './texts.arb'

export type PasskeyWindowState =
  | { status: 'to open' }
  | {
      status: 'waiting'
      /** True if the host page's opener policy hides whether the window opened. */
      mayBeBlocked: boolean
      /** The digits that the window asks for. */
      digits?: string
    }
  | { status: 'in-app' }
export type PasskeyWindowEvents = {
  /** Both events open a window, so they must be sent in the click. */
  open: readonly []
  again: readonly []
  leave: readonly []
}

export function PasskeyWindowScreen({ state, send }: PartProps<PasskeyWindowState, PasskeyWindowEvents>) {
  const { toOpen, waiting, inApp } = useTexts(texts)
  switch (state.status) {
    case 'to open':
      return (
        <Stack>
          <Heading>
            <Title>{toOpen.title}</Title>
            <Lead>{toOpen.detail}</Lead>
          </Heading>
          <Button onPress={() => send('open')}>{toOpen.open}</Button>
        </Stack>
      )
    case 'waiting':
      return (
        <Stack>
          <Waiting title={waiting.title} detail={state.mayBeBlocked ? waiting.blocked : waiting.detail}>
            <Mark drawing={passkey} size={32} />
          </Waiting>
          {state.digits !== undefined && <WindowDigits>{state.digits}</WindowDigits>}
          <Button kind={state.mayBeBlocked ? 'primary' : 'quiet'} onPress={() => send('again')}>
            {waiting.again}
          </Button>
          <Button kind="text" onPress={() => send('leave')}>
            {waiting.cancel}
          </Button>
        </Stack>
      )
    case 'in-app':
      return (
        <Failure
          title={inApp.title}
          detail={inApp.detail}
          button={inApp.leave}
          onPress={() => send('leave')}
        />
      )
    default:
      return state satisfies never
  }
}
