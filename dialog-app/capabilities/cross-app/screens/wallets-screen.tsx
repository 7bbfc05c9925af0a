/** Lists the wallets of other apps that the user linked, and unlinks them. */
import { type LinkedAccount, toLatchkeyError, type UserRecord } from '@latchkey/protocol'
import type { CrossAppConnection } from '@latchkey/protocol/api'
import { useState } from 'react'
import { useDialog, useSession } from '../../../app/context.ts'
import { useContentChange } from '../../../app/screen-options.ts'
import { useTexts } from '../../../i18n/context.tsx'
import { Button } from '../../../ui/button.tsx'
import { Group } from '../../../ui/group.tsx'
import { Banner } from '../../../ui/lazy/banner.tsx'
import { truncateMiddle } from '../../../ui/rows/address.tsx'
import { StillRow } from '../../../ui/rows/still-row.tsx'
import { Heading, Stack } from '../../../ui/stack.tsx'
import { Lead, Title } from '../../../ui/title.tsx'
import type { CrossAppAccount } from '../method.ts'
import { type ProviderApp, providerAppOf } from '../provider/provider-app.ts'
import { texts } from '../texts.arb'
import { ProviderMark } from './provider-mark.tsx'

type Props = {
  connections: readonly CrossAppConnection[]
  loadConnections: () => Promise<readonly CrossAppConnection[]>
  unlink: (account: CrossAppAccount) => Promise<UserRecord>
}

type Question = { account: CrossAppAccount; problem?: 'failed' | 'sole' }

export function WalletsScreen({ connections: initialConnections, loadConnections, unlink }: Props) {
  const { session } = useDialog().services
  const state = useSession()
  const [connections, setConnections] = useState(initialConnections)
  const [question, setQuestion] = useState<Question>()
  const [isUnlinking, setUnlinking] = useState(false)
  useContentChange(question === undefined ? 'list' : 'question')

  async function showList() {
    setQuestion(undefined)
    setConnections(await loadConnections())
  }

  async function unlinkWallet(account: CrossAppAccount) {
    setUnlinking(true)
    setQuestion({ account })
    try {
      session.replaceUser(await unlink(account))
      void showList()
    } catch (error) {
      const { code } = toLatchkeyError(error, 'failed_to_link_account', 'The account could not be unlinked')
      setQuestion({ account, problem: code === 'cannot_unlink_sole_account' ? 'sole' : 'failed' })
    }
    setUnlinking(false)
  }

  if (question) {
    const { account, problem } = question
    return (
      <UnlinkView
        app={toWallet(account, connections).app}
        isUnlinking={isUnlinking}
        problem={problem}
        onUnlink={() => void unlinkWallet(account)}
        onKeep={() => void showList()}
      />
    )
  }
  const accounts = state.status === 'authenticated' ? state.user.linkedAccounts.filter(isCrossApp) : []
  return (
    <WalletsView
      wallets={accounts.map((account) => toWallet(account, connections))}
      onUnlink={({ account }) => setQuestion({ account })}
    />
  )
}

const isCrossApp = (account: LinkedAccount): account is CrossAppAccount => account.type === 'cross_app'

export type LinkedWallet = {
  account: CrossAppAccount
  app: ProviderApp
  /** `gone`: the provider is no longer registered here. */
  use: 'signs' | 'readOnly' | 'gone'
}

function toWallet(account: CrossAppAccount, connections: readonly CrossAppConnection[]): LinkedWallet {
  const { providerAppId: appId } = account
  const connection = connections.find(({ providerAppId }) => providerAppId === appId)
  if (!connection) return { account, app: { appId, name: appId, iconUrl: null }, use: 'gone' }
  return { account, app: providerAppOf(connection), use: connection.readOnly ? 'readOnly' : 'signs' }
}

export type WalletsViewProps = {
  wallets: readonly LinkedWallet[]
  onUnlink: (wallet: LinkedWallet) => void
}

export function WalletsView({ wallets, onUnlink }: WalletsViewProps) {
  const { account: words } = useTexts(texts)
  return (
    <Stack>
      <Heading>
        <Title>{words.title}</Title>
        <Lead>{wallets.length > 0 ? words.detail : words.none}</Lead>
      </Heading>
      {wallets.length > 0 && (
        <Group>
          {wallets.map((wallet) => {
            const { account, app, use } = wallet
            const address = account.embeddedWallets[0]?.address
            const why = [address && truncateMiddle(address), use !== 'signs' && words[use]].filter(Boolean)
            return (
              <StillRow
                key={`${app.appId} ${account.subject}`}
                icon={<ProviderMark app={app} />}
                label={app.name}
                {...(why.length > 0 && { why: why.join(' · ') })}
                action={{
                  text: words.unlink,
                  label: words.unlinkOf({ app: app.name }),
                  onPress: () => onUnlink(wallet),
                }}
              />
            )
          })}
        </Group>
      )}
    </Stack>
  )
}

export type UnlinkViewProps = {
  app: Pick<ProviderApp, 'name'>
  isUnlinking: boolean
  problem: 'failed' | 'sole' | undefined
  onUnlink: () => void
  onKeep: () => void
}

export function UnlinkView({ app: { name: app }, isUnlinking, problem, onUnlink, onKeep }: UnlinkViewProps) {
  const { account: words } = useTexts(texts)
  return (
    <Stack>
      <Heading>
        <Title>{words.question({ app })}</Title>
        <Lead>{words.questionDetail({ app })}</Lead>
      </Heading>
      {problem !== undefined && <Banner kind="danger">{words[problem]}</Banner>}
      <Stack>
        <Button kind="danger" busy={isUnlinking && words.unlinking} onPress={onUnlink}>
          {words.unlink}
        </Button>
        <Button kind="quiet" onPress={onKeep}>
          {words.keep}
        </Button>
      </Stack>
    </Stack>
  )
}
