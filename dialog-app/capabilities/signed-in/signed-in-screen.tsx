import { toUser, type User } from '@latchkey/protocol'
import { type ReactNode, useEffect, useTransition } from 'react'
import { useDialog, useSession } from '../../app/context.ts'
import type { ScreenProps } from '../../app/screen.ts'
import type { AccountRowEntry } from '../../contract/account.ts'
import { useTexts } from '../../i18n/context.tsx'
import { texts as shellTexts } from '../../i18n/shell-texts.arb'
import { Brand } from '../../shell/elements/brand.tsx'
import { Button } from '../../ui/button.tsx'
import { OptionList } from '../../ui/group.tsx'
import { Address } from '../../ui/rows/address.tsx'
import { Fact, Facts } from '../../ui/rows/facts.tsx'
import { Stack } from '../../ui/stack.tsx'
import { texts } from './texts.arb'

/** Shows the account with its entries, until the user logs out. */
export function SignedInScreen({
  entries,
  screen,
}: ScreenProps<void, { entries: readonly AccountRowEntry[] }>) {
  const { services, screens } = useDialog()
  const state = useSession()
  const [isLoggingOut, startLogout] = useTransition()
  const isVisitor = state.status !== 'authenticated'

  useEffect(() => {
    if (isVisitor) screen.resolve()
  }, [isVisitor, screen])

  if (isVisitor) return null
  const { user } = state
  // After a failure the user can press again.
  const logOut = () => startLogout(() => services.session.logout().catch(() => {}))
  const open = (entry: AccountRowEntry) => {
    if (!isLoggingOut) void entry.open(screens, user).catch(() => {})
  }
  return (
    <SignedInView user={toUser(user)} isLoggingOut={isLoggingOut} onLogOut={logOut}>
      {entries.map((entry, position) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: their order does not change
        <entry.Row key={position} user={user} onOpen={() => open(entry)} />
      ))}
    </SignedInView>
  )
}

type SignedInViewProps = {
  user: Pick<User, 'email' | 'phone' | 'wallet'>
  isLoggingOut: boolean
  onLogOut: () => void
  /** The account entries. */
  children: ReactNode
}

export function SignedInView({ user, isLoggingOut, onLogOut, children }: SignedInViewProps) {
  const words = useTexts(texts)
  const { address } = useTexts(shellTexts)
  const { email, phone, wallet } = user
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
      <OptionList>{children}</OptionList>
      <Button kind="quiet" busy={isLoggingOut && words.loggingOut} onPress={onLogOut}>
        {words.logOut}
      </Button>
    </Stack>
  )
}
