import type { PartProps } from '../../../flow/screen.ts'
import { useLanguage, useTexts } from '../../../i18n/context.tsx'
import { texts as shellTexts } from '../../../i18n/shell-texts.arb'
import { AppIdentity } from '../../../shell/lazy/app-identity.tsx'
import { Button } from '../../../ui/button.tsx'
import { Banner } from '../../../ui/feedback/banner.tsx'
import { Failure } from '../../../ui/feedback/failure.tsx'
import { Address } from '../../../ui/rows/address.tsx'
import { Fact, Facts } from '../../../ui/rows/facts.tsx'
import { Heading, Stack } from '../../../ui/stack.tsx'
import { Lead, Title } from '../../../ui/title.tsx'
import type { Lack } from '../proposal/proposal.ts'
import { texts } from '../texts.arb'
import styles from './proposal-screen.module.css'

/** Name and origin are what the dapp says of itself. */
type Dapp = { name: string; url: string }
export type ProposalState = Dapp &
  (
    | {
        status: 'asked' | 'connecting'
        address: string
        networks: readonly string[]
      }
    | { status: 'expired' | 'failed' }
    | { status: 'impossible'; lack: Lack; names: readonly string[] }
  )
export type ProposalEvents = {
  connect: readonly []
  leave: readonly []
  /** The user tries another link. */
  again: readonly []
}

type Props = PartProps<ProposalState, ProposalEvents>

export function ProposalScreen({ state, send }: Props) {
  const { proposal, cancel } = useTexts(texts)
  const { name, url } = state
  const asker = <AppIdentity appName={name} iconUrl={undefined} origin={url} isRelayed />
  switch (state.status) {
    case 'asked':
    case 'connecting':
      return <Asked state={state} send={send} />
    case 'expired':
    case 'failed': {
      const { title, detail } = proposal[state.status]
      return (
        <Failure title={title} detail={detail} button={proposal.again} onPress={() => send('again')}>
          {asker}
        </Failure>
      )
    }
    case 'impossible': {
      const { title, lacks } = proposal.impossible
      return (
        <Failure
          title={title}
          detail={lacks[state.lack]({ names: state.names.join(', ') })}
          button={cancel}
          onPress={() => send('leave')}
        >
          {asker}
        </Failure>
      )
    }
    default:
      return state satisfies never
  }
}

type AskedProps = {
  state: Extract<ProposalState, { status: 'asked' | 'connecting' }>
  send: Props['send']
}

/** Who asks, that nobody vouches for it, what it may ask, and of which wallet. */
function Asked({ state: { status, name, url, address: wallet, networks }, send }: AskedProps) {
  const { proposal, cancel } = useTexts(texts)
  const { address } = useTexts(shellTexts)
  const language = useLanguage()
  const { host } = new URL(url)
  return (
    <Stack>
      <Heading>
        <Title>{proposal.title}</Title>
        <AppIdentity appName={name} iconUrl={undefined} origin={url} isRelayed />
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
      <Button busy={status === 'connecting' && proposal.connecting} onPress={() => send('connect')}>
        {proposal.connect}
      </Button>
      {status === 'asked' && (
        <Button kind="quiet" onPress={() => send('leave')}>
          {cancel}
        </Button>
      )}
    </Stack>
  )
}
