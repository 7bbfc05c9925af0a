import type { PasskeyAnswer } from '@latchkey/protocol/api'
import { useRef, useState } from 'react'
import { useDialog } from '../../app/context.ts'
import type { ScreenProps } from '../../app/screen.ts'
import { useContentChange } from '../../app/screen-options.ts'
import { useTexts } from '../../i18n/context.tsx'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/feedback/failure.tsx'
import { Waiting } from '../../ui/feedback/waiting.tsx'
import { Mark } from '../../ui/marks/mark.tsx'
import { Heading, Stack } from '../../ui/stack.tsx'
import { Lead, Title } from '../../ui/title.tsx'
import type { Attempt } from '../../window-login/attempt.ts'
import { WindowDigits } from '../../window-login/window-digits.tsx'
import { createWindowTries, type WindowState } from '../../window-login/window-tries.ts'
import { passkey } from '../passkey-mark.ts'
import { texts } from './texts.arb'

type Props = ScreenProps<
  PasskeyAnswer,
  {
    isInApp: boolean
    /** Opens a window; must be called in the click. */
    begin: () => Attempt<PasskeyAnswer>
  }
>

export function PasskeyWindowScreen({ isInApp, begin, screen }: Props) {
  const { handle } = useDialog()
  const [opened, setOpened] = useState<WindowState>()
  const hasOpened = useRef(false)
  const [tries] = useState(() =>
    createWindowTries<PasskeyAnswer>(handle, {
      show: setOpened,
      granted: screen.resolve,
      failed: screen.reject,
    }),
  )
  useContentChange(opened ? 'waiting' : 'to open')

  /** Ignores the second press of a double click. */
  function open() {
    if (!hasOpened.current) openAgain()
  }

  /** Only the latest window counts. */
  function openAgain() {
    hasOpened.current = true
    tries.stop()
    tries.open(begin)
  }

  return (
    <PasskeyWindowView
      isInApp={isInApp}
      opened={opened}
      onOpen={open}
      onOpenAgain={openAgain}
      onLeave={screen.leave}
    />
  )
}

export type PasskeyWindowViewProps = {
  /** The page is in an app that opens no windows. */
  isInApp: boolean
  opened: WindowState | undefined
  /** Both open a window, so they must be called in the click. */
  onOpen: () => void
  onOpenAgain: () => void
  onLeave: () => void
}

export function PasskeyWindowView(props: PasskeyWindowViewProps) {
  const { isInApp, opened, onOpen, onOpenAgain, onLeave } = props
  const { toOpen, waiting, inApp } = useTexts(texts)
  if (isInApp) {
    return <Failure title={inApp.title} detail={inApp.detail} button={inApp.leave} onPress={onLeave} />
  }
  if (!opened) {
    return (
      <Stack>
        <Heading>
          <Title>{toOpen.title}</Title>
          <Lead>{toOpen.detail}</Lead>
        </Heading>
        <Button onPress={onOpen}>{toOpen.open}</Button>
      </Stack>
    )
  }
  // A window that reads as closed may be open, because its page has no opener.
  const mayBeBlocked = opened.window === 'none'
  return (
    <Stack>
      <Waiting title={waiting.title} detail={mayBeBlocked ? waiting.blocked : waiting.detail}>
        <Mark drawing={passkey} size={32} />
      </Waiting>
      {opened.digits !== undefined && <WindowDigits>{opened.digits}</WindowDigits>}
      <Button kind={mayBeBlocked ? 'primary' : 'quiet'} onPress={onOpenAgain}>
        {waiting.again}
      </Button>
      <Button kind="text" onPress={onLeave}>
        {waiting.cancel}
      </Button>
    </Stack>
  )
}
