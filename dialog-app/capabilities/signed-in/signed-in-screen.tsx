import type { User } from '@latchkey/protocol'
import type { PartProps, ShownPart } from '../../flow/screen.ts'
import { useTexts } from '../../i18n/context.tsx'
import { texts as shellTexts } from '../../i18n/shell-texts.arb'
import { Brand } from '../../shell/elements/brand.tsx'
import { ShownPartView } from '../../shell/elements/shown-part.tsx'
import { Button } from '../../ui/button.tsx'
import { OptionList } from '../../ui/group.tsx'
import { Address } from '../../ui/rows/address.tsx'
import { Fact, Facts } from '../../ui/rows/facts.tsx'
import { Stack } from '../../ui/stack.tsx'
import { texts } from './texts.arb'

export type SignedInState = {
  status: 'ready' | 'logging-out'
  user: User
  /** What else there is to do with the account. */
  entries: readonly ShownPart[]
}
export type SignedInEvents = { logOut: readonly [] }

export function SignedInScreen({ state, send }: PartProps<SignedInState, SignedInEvents>) {
  const words = useTexts(texts)
  const { address } = useTexts(shellTexts)
  const { email, phone, wallet } = state.user
  const account = email?.address ?? phone?.number
  return (
    <Stack>
      <Brand title={words.title} lead={account === undefined ? undefined : words.detail({ account })} />
      {wallet && (
        <Facts>
          <Fact term={words.wallet}>
            <Address address={wallet.address} copyLabel={address.copy} copiedLabel={address.copied} />
          </Fact>
        </Facts>
      )}
      <OptionList>
        {state.entries.map((entry, position) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: their order does not change
          <ShownPartView key={position} part={entry} />
        ))}
      </OptionList>
      <Button
        kind="quiet"
        busy={state.status === 'logging-out' && words.loggingOut}
        onPress={() => send('logOut')}
      >
        {words.logOut}
      </Button>
    </Stack>
  )
}
