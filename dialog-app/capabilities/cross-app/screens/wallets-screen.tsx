import type { PartProps } from '../../../flow/screen.ts'
import { useTexts } from '../../../i18n/context.tsx'
import { Button } from '../../../ui/button.tsx'
import { Banner } from '../../../ui/feedback/banner.tsx'
import { Group } from '../../../ui/group.tsx'
import { truncateMiddle } from '../../../ui/rows/address.tsx'
import { StillRow } from '../../../ui/rows/still-row.tsx'
import { Heading, Stack } from '../../../ui/stack.tsx'
import { Lead, Title } from '../../../ui/title.tsx'
import type { ProviderApp } from '../provider/provider-app.ts'
import { texts } from '../texts.arb'
import { ProviderMark } from './provider-mark.tsx'

export type ShownWallet = {
  subject: string
  app: ProviderApp
  address: string | undefined
  /** `gone`: its provider is registered here no more. */
  use: 'signs' | 'readOnly' | 'gone'
}
export type WalletsState =
  | { status: 'list'; wallets: readonly ShownWallet[] }
  | {
      status: 'question'
      wallet: ShownWallet
      isUnlinking: boolean
      problem: 'failed' | 'sole' | undefined
    }
export type WalletsEvents = {
  ask: readonly [wallet: ShownWallet]
  unlink: readonly []
  keep: readonly []
}

export function WalletsScreen({ state, send }: PartProps<WalletsState, WalletsEvents>) {
  const { account } = useTexts(texts)
  if (state.status === 'question') {
    const { wallet, isUnlinking, problem } = state
    return (
      <Stack>
        <Heading>
          <Title>{account.question({ app: wallet.app.name })}</Title>
          <Lead>{account.questionDetail({ app: wallet.app.name })}</Lead>
        </Heading>
        {problem !== undefined && <Banner kind="danger">{account[problem]}</Banner>}
        <Stack>
          <Button kind="danger" busy={isUnlinking && account.unlinking} onPress={() => send('unlink')}>
            {account.unlink}
          </Button>
          <Button kind="quiet" onPress={() => send('keep')}>
            {account.keep}
          </Button>
        </Stack>
      </Stack>
    )
  }
  const { wallets } = state
  return (
    <Stack>
      <Heading>
        <Title>{account.title}</Title>
        <Lead>{wallets.length > 0 ? account.detail : account.none}</Lead>
      </Heading>
      {wallets.length > 0 && (
        <Group>
          {wallets.map((wallet) => {
            const { app, address, use, subject } = wallet
            const why = [address && truncateMiddle(address), use !== 'signs' && account[use]].filter(Boolean)
            return (
              <StillRow
                key={`${app.appId} ${subject}`}
                icon={<ProviderMark app={app} />}
                label={app.name}
                {...(why.length > 0 && { why: why.join(' · ') })}
                action={{
                  text: account.unlink,
                  label: account.unlinkOf({ app: app.name }),
                  onPress: () => send('ask', wallet),
                }}
              />
            )
          })}
        </Group>
      )}
    </Stack>
  )
}
