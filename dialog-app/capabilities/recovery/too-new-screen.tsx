/** Explains that a recently added login method or factor does not count yet, and offers older ones. */

import { toLatchkeyError } from '@latchkey/protocol'
import type { ScreenProps } from '../../app/screen.ts'
import { exitCodes } from '../../flow/flow.ts'
import { useLanguage, useTexts } from '../../i18n/context.tsx'
import { Button } from '../../ui/button.tsx'
import { WalletFace } from '../../ui/rows/wallet-face.tsx'
import { Heading, Stack } from '../../ui/stack.tsx'
import { Lead, Title } from '../../ui/title.tsx'
import { texts } from './texts.arb'

export type TooNew = {
  blocks: 'recovery' | 'approval'
  /** When the method counts. Undefined if waiting does not help. */
  untilSeconds: number | undefined
  /** The user has an older login method. */
  canLogIn: boolean
  canVerify: boolean
}

/** Resolves when the call may be repeated. */
export function TooNewScreen({
  tooNew,
  logIn,
  screen,
}: ScreenProps<undefined, { tooNew: TooNew; logIn: () => Promise<void> }>) {
  async function logInAndResolve() {
    try {
      await logIn()
      screen.resolve(undefined)
    } catch (cause) {
      const problem = toLatchkeyError(cause, 'error', '')
      // A cancelled login leads back to this screen.
      if (problem.code !== exitCodes.login) screen.reject(problem)
    }
  }
  return (
    <TooNewView
      tooNew={tooNew}
      onLogIn={() => void logInAndResolve()}
      onVerify={() => screen.resolve(undefined)}
      onBack={screen.leave}
    />
  )
}

export type TooNewViewProps = {
  tooNew: TooNew
  onLogIn: () => void
  onVerify: () => void
  onBack: () => void
}

export function TooNewView({
  tooNew: { blocks, untilSeconds, canLogIn, canVerify },
  onLogIn,
  onVerify,
  onBack,
}: TooNewViewProps) {
  const words = useTexts(texts).tooNew
  const language = useLanguage()
  const when = (seconds: number) =>
    new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(seconds * 1_000)
  return (
    <Stack>
      <WalletFace />
      <Heading>
        <Title>{words.title}</Title>
        <Lead>{words.detail[blocks]}</Lead>
        {untilSeconds !== undefined && <Lead>{words.until({ when: when(untilSeconds) })}</Lead>}
        <Lead>{canLogIn || canVerify ? words.older[blocks] : words.again}</Lead>
      </Heading>
      {canLogIn && <Button onPress={onLogIn}>{words.logIn}</Button>}
      {canVerify && (
        <Button kind={canLogIn ? 'quiet' : 'primary'} onPress={onVerify}>
          {words.verify}
        </Button>
      )}
      <Button kind={canLogIn || canVerify ? 'text' : 'primary'} onPress={onBack}>
        {words.back}
      </Button>
    </Stack>
  )
}
