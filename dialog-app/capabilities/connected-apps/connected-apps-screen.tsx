import type { CrossAppScope } from '@latchkey/protocol'
import { type ReactNode, useId } from 'react'
import type { ConnectedDapp } from '../../contract/dapps.ts'
import type { PartProps } from '../../flow/screen.ts'
import { useLanguage, useTexts } from '../../i18n/context.tsx'
import { texts as shellTexts } from '../../i18n/shell-texts.arb'
import { Button } from '../../ui/button.tsx'
import { Banner } from '../../ui/feedback/banner.tsx'
import { Failure } from '../../ui/feedback/failure.tsx'
import { Waiting } from '../../ui/feedback/waiting.tsx'
import { AccountRow } from '../../ui/rows/account-row.tsx'
import { Address } from '../../ui/rows/address.tsx'
import { WalletFace } from '../../ui/rows/wallet-face.tsx'
import { Heading, Note, Stack } from '../../ui/stack.tsx'
import { Lead, Title } from '../../ui/title.tsx'
import styles from './connected-apps-screen.module.css'
import { texts } from './texts.arb'

export type ConnectedApp = {
  id: string
  /** The name is the one that the operator registered. */
  name: string
  origin: string
  scopes: readonly CrossAppScope[]
  /** The address is that of the one wallet that the app may use. */
  address: string
  /** What it may ask to have sent in a day; null where it sends nothing. */
  dailyUsd: number | null
  sinceMs: number
  lastUsedMs: number | undefined
}
export type ConnectedAppsState =
  | { status: 'reading' | 'failed' }
  | {
      status: 'read'
      apps: readonly ConnectedApp[]
      /** The dapps were connected by a link, in this browser. */
      dapps: readonly ConnectedDapp[]
      /** Whether another dapp can be connected. */
      connects: boolean
      change: ConnectedAppsChange | undefined
    }
/** This has happened to the one of this name just now. */
export type ConnectedAppsChange = { what: 'ended' | 'connected'; name: string }
export type ConnectedAppsEvents = {
  retry: readonly []
  end: readonly [id: string]
  endDapp: readonly [id: string]
  connect: readonly []
}

type Props = PartProps<ConnectedAppsState, ConnectedAppsEvents>

export function ConnectedAppsScreen({ state, send }: Props) {
  const { title, reading, failed, none, detail, connect, ...words } = useTexts(texts)
  switch (state.status) {
    case 'reading':
      return (
        <Waiting title={title} detail={reading}>
          <WalletFace />
        </Waiting>
      )
    case 'failed':
      return (
        <Failure
          title={failed.title}
          detail={failed.detail}
          button={failed.retry}
          onPress={() => send('retry')}
        />
      )
    case 'read':
      return (
        <Stack>
          <Heading>
            <Title>{title}</Title>
            <Lead>{state.apps.length + state.dapps.length === 0 ? none : detail}</Lead>
          </Heading>
          {state.change && (
            <Banner kind="info">{words[state.change.what]({ app: state.change.name })}</Banner>
          )}
          <ul className={styles.list}>
            {state.apps.map((app) => (
              <AppRow key={app.id} app={app} onEnd={() => send('end', app.id)} />
            ))}
            {state.dapps.map((dapp) => (
              <DappRow key={dapp.id} dapp={dapp} onEnd={() => send('endDapp', dapp.id)} />
            ))}
          </ul>
          {state.connects && (
            <Button kind="quiet" onPress={() => send('connect')}>
              {connect}
            </Button>
          )}
        </Stack>
      )
    default:
      return state satisfies never
  }
}

type AppRowProps = { app: ConnectedApp; onEnd: () => void }

function AppRow({ app, onEnd }: AppRowProps) {
  const { wallet } = useTexts(texts)
  const { address } = useTexts(shellTexts)
  return (
    <Row {...app} url={app.origin} allowed={useAllowed(app)} onEnd={onEnd}>
      <Note>
        {wallet} <Address address={app.address} copyLabel={address.copy} copiedLabel={address.copied} />
      </Note>
    </Row>
  )
}

type DappRowProps = { dapp: ConnectedDapp; onEnd: () => void }

/** Nobody vouches for its name and address; what it asks is confirmed each time. */
function DappRow({ dapp, onEnd }: DappRowProps) {
  const { allowed, byLink } = useTexts(texts)
  return (
    <Row {...dapp} allowed={[allowed.read, allowed.sign, allowed.send]} onEnd={onEnd}>
      <Note>{byLink}</Note>
    </Row>
  )
}

type RowProps = Pick<ConnectedApp, 'name' | 'sinceMs' | 'lastUsedMs'> & {
  url: string
  allowed: readonly string[]
  onEnd: () => void
  children: ReactNode
}

function Row({ name, url, sinceMs, lastUsedMs, allowed, onEnd, children }: RowProps) {
  const { since, lastUsed, neverUsed, disconnect } = useTexts(texts)
  const language = useLanguage()
  const nameId = useId()
  const day = (ms: number) => (
    <time dateTime={new Date(ms).toISOString()}>
      {new Intl.DateTimeFormat(language, { dateStyle: 'medium' }).format(ms)}
    </time>
  )
  return (
    <li className={styles.app}>
      <div className={styles.head}>
        <div className={styles.who}>
          <bdi className={styles.name} id={nameId}>
            {name}
          </bdi>
          <bdi className={styles.origin} dir="ltr">
            {url.replace(/^https:\/\//, '')}
          </bdi>
        </div>
        <Button kind="text" describedBy={nameId} onPress={onEnd}>
          {disconnect}
        </Button>
      </div>
      <ul className={styles.allowed}>
        {allowed.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      {children}
      <div className={styles.dates}>
        <span>
          {since} {day(sinceMs)}
        </span>
        <span>
          {lastUsedMs === undefined ? (
            neverUsed
          ) : (
            <>
              {lastUsed} {day(lastUsedMs)}
            </>
          )}
        </span>
      </div>
    </li>
  )
}

/** Each line says one thing that the app may do. */
function useAllowed({ scopes, dailyUsd }: ConnectedApp): readonly string[] {
  const { allowed } = useTexts(texts)
  const language = useLanguage()
  const dollars = (amount: number) =>
    new Intl.NumberFormat(language, {
      style: 'currency',
      currency: 'USD',
      maximumFractionDigits: 0,
    }).format(amount)
  return scopes.flatMap((scope) => {
    switch (scope) {
      case 'openid':
        return []
      case 'wallet.send':
        return [dailyUsd === null ? allowed.send : allowed.sendUpTo({ amount: dollars(dailyUsd) })]
      case 'profile':
        return [allowed.profile]
      case 'wallet.read':
        return [allowed.read]
      case 'wallet.sign':
        return [allowed.sign]
      default:
        return scope satisfies never
    }
  })
}

export type AccountEntryEvents = { open: readonly [] }

export function AccountEntry({ send }: PartProps<object, AccountEntryEvents>) {
  const { account } = useTexts(texts)
  return <AccountRow icon="apps" label={account} onPress={() => send('open')} />
}
