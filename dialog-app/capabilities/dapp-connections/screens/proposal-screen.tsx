/** Asks whether a dapp may use the wallet. Resolves with the connected dapp, or with undefined for another link. */
import { getChain } from '@latchkey/protocol/chains'
import { useEffect, useState } from 'react'
import { useDialog } from '../../../app/context.ts'
import type { ScreenProps } from '../../../app/screen.ts'
import { useContentChange, useHeader } from '../../../app/screen-options.ts'
import type { ConnectedDapp } from '../../../contract/dapps.ts'
import { useLanguage, useTexts } from '../../../i18n/context.tsx'
import { texts as shellTexts } from '../../../i18n/shell-texts.arb'
import { AppIdentity } from '../../../shell/lazy/app-identity.tsx'
import { Button } from '../../../ui/button.tsx'
import { Failure } from '../../../ui/feedback/failure.tsx'
import { Banner } from '../../../ui/lazy/banner.tsx'
import { Address } from '../../../ui/rows/address.tsx'
import { Fact, Facts } from '../../../ui/rows/facts.tsx'
import { Heading, Stack } from '../../../ui/stack.tsx'
import { Lead, Title } from '../../../ui/title.tsx'
import type { Offer, Proposal } from '../connections.ts'
import { texts } from '../texts.arb'
import styles from './proposal-screen.module.css'

type Status = 'asked' | 'connecting' | 'expired' | 'failed'

export function ProposalScreen({
  proposal,
  screen,
}: ScreenProps<ConnectedDapp | undefined, { proposal: Proposal }>) {
  const { clock, settings } = useDialog().services
  const [status, setStatus] = useState<Status>('asked')
  const isConnecting = status === 'connecting'
  useHeader({ back: !isConnecting, close: !isConnecting })
  useContentChange(status)

  useEffect(() => {
    if (proposal.is !== 'offer') return
    return clock.after(proposal.offer.expiresAtMs - clock.nowMs(), () =>
      setStatus((present) => (present === 'asked' ? 'expired' : present)),
    )
  }, [clock, proposal])

  if (proposal.is === 'impossible') return <ImpossibleView proposal={proposal} onLeave={screen.leave} />

  const { offer } = proposal
  async function connect() {
    setStatus('connecting')
    try {
      screen.resolve(await offer.accept())
    } catch {
      setStatus('failed')
    }
  }
  return (
    <OfferView
      status={status}
      requester={offer.requester}
      address={offer.address}
      networks={offer.chainIds.map((id) => getChain(settings().app, id).name ?? String(id))}
      onConnect={() => void connect()}
      onLeave={screen.leave}
      onRetry={() => screen.resolve(undefined)}
    />
  )
}

/** The name and origin are unverified. */
type RequesterProps = Pick<Offer, 'requester'>

const Requester = ({ requester: { name, url } }: RequesterProps) => (
  <AppIdentity appName={name} iconUrl={undefined} origin={url} isRelayed />
)

export type ImpossibleViewProps = {
  proposal: Pick<Extract<Proposal, { is: 'impossible' }>, 'requester' | 'lack' | 'names'>
  onLeave: () => void
}

export function ImpossibleView({ proposal: { requester, lack, names }, onLeave }: ImpossibleViewProps) {
  const { proposal, cancel } = useTexts(texts)
  const { title, lacks } = proposal.impossible
  return (
    <Failure
      title={title}
      detail={lacks[lack]({ names: names.join(', ') })}
      button={cancel}
      onPress={onLeave}
    >
      <Requester requester={requester} />
    </Failure>
  )
}

export type OfferViewProps = Pick<Offer, 'requester' | 'address'> & {
  status: Status
  networks: readonly string[]
  onConnect: () => void
  onLeave: () => void
  /** The user tries another link. */
  onRetry: () => void
}

export function OfferView({
  status,
  requester,
  address: wallet,
  networks,
  onConnect,
  onLeave,
  onRetry,
}: OfferViewProps) {
  const { proposal, cancel } = useTexts(texts)
  const { address } = useTexts(shellTexts)
  const language = useLanguage()
  if (status === 'expired' || status === 'failed') {
    const { title, detail } = proposal[status]
    return (
      <Failure title={title} detail={detail} button={proposal.again} onPress={onRetry}>
        <Requester requester={requester} />
      </Failure>
    )
  }
  const { host } = new URL(requester.url)
  return (
    <Stack>
      <Heading>
        <Title>{proposal.title}</Title>
        <Requester requester={requester} />
        <Lead>{proposal.detail}</Lead>
      </Heading>
      <Banner kind="warning">{proposal.unverified({ host })}</Banner>
      <ul className={styles.allowed}>
        {Object.values(proposal.allowed).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <Facts>
        <Fact term={proposal.wallet}>
          <Address address={wallet} copyLabel={address.copy} copiedLabel={address.copied} />
        </Fact>
        <Fact term={proposal.networks}>{new Intl.ListFormat(language).format(networks)}</Fact>
      </Facts>
      <Button busy={status === 'connecting' && proposal.connecting} onPress={onConnect}>
        {proposal.connect}
      </Button>
      {status === 'asked' && (
        <Button kind="quiet" onPress={onLeave}>
          {cancel}
        </Button>
      )}
    </Stack>
  )
}
