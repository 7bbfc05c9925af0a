import type { PartProps } from '../../flow/screen.ts'
import { useLanguage, useTexts } from '../../i18n/context.tsx'
import { Button } from '../../ui/button.tsx'
import { WalletFace } from '../../ui/rows/wallet-face.tsx'
import { Heading, Stack } from '../../ui/stack.tsx'
import { Lead, Title } from '../../ui/title.tsx'
import { texts } from './texts.arb'

/** `untilSeconds`: from when on what the user showed opens the wallet; undefined where waiting does not help. */
export type TooNewState = {
  blocks: 'recovery' | 'approval'
  untilSeconds: number | undefined
  /** The user may log in with a method that counts already. */
  canLogIn: boolean
  canVerify: boolean
}
export type TooNewEvents = {
  logIn: readonly []
  verify: readonly []
  back: readonly []
}

export function TooNewScreen({
  state: { blocks, untilSeconds, canLogIn, canVerify },
  send,
}: PartProps<TooNewState, TooNewEvents>) {
  const { tooNew } = useTexts(texts)
  const language = useLanguage()
  const when = (seconds: number) =>
    new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(seconds * 1_000)
  return (
    <Stack>
      <WalletFace />
      <Heading>
        <Title>{tooNew.title}</Title>
        <Lead>{tooNew.detail[blocks]}</Lead>
        {untilSeconds !== undefined && <Lead>{tooNew.until({ when: when(untilSeconds) })}</Lead>}
        <Lead>{canLogIn || canVerify ? tooNew.older[blocks] : tooNew.again}</Lead>
      </Heading>
      {canLogIn && <Button onPress={() => send('logIn')}>{tooNew.logIn}</Button>}
      {canVerify && (
        <Button kind={canLogIn ? 'quiet' : 'primary'} onPress={() => send('verify')}>
          {tooNew.verify}
        </Button>
      )}
      <Button kind={canLogIn || canVerify ? 'text' : 'primary'} onPress={() => send('back')}>
        {tooNew.back}
      </Button>
    </Stack>
  )
}
