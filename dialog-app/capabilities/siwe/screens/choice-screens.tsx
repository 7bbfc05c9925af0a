import type { ConnectedWallet } from '@latchkey/protocol'
import { type ReactNode, useEffect, useState } from 'react'
import { useDialog } from '../../../app/context.ts'
import type { ScreenHandle, ScreenProps } from '../../../app/screen.ts'
import { pushOnCard } from '../../../app/screen-stack.ts'
import type { CardHandle } from '../../../flow/flow.ts'
import { useTexts } from '../../../i18n/context.tsx'
import base from '../../../ui/base.module.css'
import { OptionList } from '../../../ui/group.tsx'
import { BreakableAddress } from '../../../ui/rows/address.tsx'
import { Heading, Stack } from '../../../ui/stack.tsx'
import { Lead, Title } from '../../../ui/title.tsx'
import type { ChooseWallet } from '../connection/choose-wallet.ts'
import { installScreen } from '../screens.ts'
import { keepOrder, type OfferedWallet, rowKeys } from '../sources/offered-wallets.ts'
import type { WalletSources } from '../sources/sources.ts'
import { texts } from '../texts.arb'
import { WalletRow } from './wallet-row.tsx'

type ChoiceProps<Result> = {
  sources: WalletSources
  /** Resolves when the page has named its wallets. */
  looking: Promise<void>
  createChoice: (card: CardHandle, screen: ScreenHandle<Result>) => ChooseWallet
}

type WalletChoice = {
  wallets: readonly OfferedWallet[]
  lastUsed: string | undefined
  onChoose: ChooseWallet
  onGuide: () => void
}

function useWalletChoice<Result>(
  { sources, looking, createChoice }: ChoiceProps<Result>,
  screen: ScreenHandle<Result>,
): WalletChoice {
  const { services, handle, isInFront } = useDialog()
  const [wallets, setWallets] = useState(sources.offered)
  const [choose] = useState(() => createChoice(handle, screen))
  useEffect(() => {
    void looking.then(() => setWallets((shown) => keepOrder(shown, sources.offered())))
  }, [looking, sources])
  return {
    wallets,
    lastUsed: sources.lastUsed(),
    onChoose(wallet) {
      if (isInFront()) choose(wallet)
    },
    onGuide() {
      if (isInFront()) void pushOnCard(services, handle, installScreen, { wallet: undefined })
    },
  }
}

type WalletListProps = WalletChoice & { title: string; children: ReactNode }

function WalletList({ title, wallets, lastUsed, onChoose, onGuide, children }: WalletListProps) {
  const keys = rowKeys(wallets)
  return (
    <Stack>
      <Heading>
        <Title>{title}</Title>
        <Lead>{children}</Lead>
      </Heading>
      <OptionList>
        {wallets.map((wallet, position) => (
          <WalletRow
            key={keys[position]}
            wallet={wallet}
            isLastUsed={wallet.key === lastUsed}
            onChoose={() => onChoose(wallet)}
          />
        ))}
        {wallets.length === 0 && <WalletRow wallet={undefined} isLastUsed={false} onChoose={onGuide} />}
      </OptionList>
    </Stack>
  )
}

type ConnectOnlyWords = {
  isUser: boolean
  /** The account address that the page prefers. */
  suggestedAddress: string | undefined
}

/** Resolves with the connected wallet. Its screen stays open. */
export function ConnectOnlyScreen({
  isUser,
  suggestedAddress,
  screen,
  ...choice
}: ScreenProps<ConnectedWallet, ChoiceProps<ConnectedWallet> & ConnectOnlyWords>) {
  return (
    <ConnectOnlyView
      {...useWalletChoice(choice, screen)}
      isUser={isUser}
      suggestedAddress={suggestedAddress}
    />
  )
}

export function ConnectOnlyView({ isUser, suggestedAddress, ...choice }: WalletChoice & ConnectOnlyWords) {
  const { connectOnly } = useTexts(texts)
  return (
    <WalletList {...choice} title={connectOnly.title}>
      {suggestedAddress === undefined ? (
        connectOnly[isUser ? 'detailForUser' : 'detail']
      ) : (
        <>
          {connectOnly.suggested}{' '}
          <bdi className={base.mono} dir="ltr">
            <BreakableAddress address={suggestedAddress} />
          </bdi>
        </>
      )}
    </WalletList>
  )
}

/** The displayed amount includes its unit. */
type PaymentWords = { amount: string; network: string }

/** Resolves when the wallet has sent the payment. Its screen stays open. */
export function PayFromScreen({
  amount,
  network,
  screen,
  ...choice
}: ScreenProps<undefined, ChoiceProps<undefined> & PaymentWords>) {
  return <PayFromView {...useWalletChoice(choice, screen)} amount={amount} network={network} />
}

export function PayFromView({ amount, network, ...choice }: WalletChoice & PaymentWords) {
  const { payFrom } = useTexts(texts)
  return (
    <WalletList {...choice} title={payFrom.title}>
      {payFrom.detail({ amount, network })}
    </WalletList>
  )
}
