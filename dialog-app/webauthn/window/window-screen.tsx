import type { PartProps } from '../../core/screen.ts'
import { useTexts } from '../../i18n/context.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Mark } from '../../ui/marks/mark.tsx'
import { passkey } from '../../ui/marks/passkey.ts'
import { Heading, Stack } from '../../ui/stack.tsx'
import { Lead, Title } from '../../ui/title.tsx'
import { Waiting } from '../../ui/waiting.tsx'
import { texts } from './texts.ts'

export type PasskeyWindowState =
  | { readonly status: 'to open' }
  | {
      readonly status: 'waiting'
      /** Of the page. A link is followed where a window that was asked for did not come. */
      readonly href: string
      /** Nothing is known of a window that came, where the page of the host has an opener policy. */
      readonly mayBeBlocked: boolean
    }
  | { readonly status: 'in-app' }
export type PasskeyWindowEvents = {
  /** Opens a window, so it is sent in the click. */
  readonly open: readonly []
  readonly leave: readonly []
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
          <ButtonLink kind={state.mayBeBlocked ? 'primary' : 'quiet'} href={state.href}>
            {waiting.again}
          </ButtonLink>
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
