/** Lists the apps that may use the wallet, and the dapps connected in this browser. */
import { toLatchkeyError } from '@latchkey/protocol'
import { providerRoutes, type RouteOutput } from '@latchkey/protocol/api'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useEffectEvent, useId, useState } from 'react'
import { useDialog } from '../../app/context.ts'
import { useWaits } from '../../app/screen-options.ts'
import { QueryProvider } from '../../app/server-data/query-provider.tsx'
import type { ConnectedDapp, Dapps } from '../../contract/dapps.ts'
import { allowsDappConnections } from '../../host/settings.ts'
import { useLanguage, useTexts } from '../../i18n/context.tsx'
import { texts as shellTexts } from '../../i18n/shell-texts.arb'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/feedback/failure.tsx'
import { Waiting } from '../../ui/feedback/waiting.tsx'
import { Banner } from '../../ui/lazy/banner.tsx'
import { Address } from '../../ui/rows/address.tsx'
import { WalletFace } from '../../ui/rows/wallet-face.tsx'
import { Heading, Note, Stack } from '../../ui/stack.tsx'
import { Lead, Title } from '../../ui/title.tsx'
import styles from './connected-apps-screen.module.css'
import { disconnectScreen } from './screens.ts'
import { texts } from './texts.arb'

type Props = { dapps: Dapps }

export const ConnectedAppsScreen = (props: Props) => (
  <QueryProvider>
    <ConnectedApps {...props} />
  </QueryProvider>
)

const queryKey = ['connected-apps']

function ConnectedApps({ dapps }: Props) {
  const { services, screens } = useDialog()
  const { api, settings } = services
  const canConnect = allowsDappConnections(settings())
  const queryClient = useQueryClient()
  const [change, setChange] = useState<ConnectedAppsChange>()
  const { data, isError, isPending, refetch } = useQuery({
    queryKey,
    async queryFn({ signal }) {
      const [response, connectedDapps] = await Promise.all([
        settings().app.crossAppProvider
          ? api.call(providerRoutes.connectedApps, undefined, { signal })
          : { apps: [] },
        canConnect ? dapps.list() : [],
      ])
      return { apps: response.apps, dapps: connectedDapps }
    },
  })
  useWaits(isPending)

  const reloadDapps = useEffectEvent(async () => {
    const connectedDapps = await dapps.list()
    queryClient.setQueryData<typeof data>(queryKey, (shown) => shown && { ...shown, dapps: connectedDapps })
  })
  useEffect(
    () => (canConnect ? dapps.onChange(() => void reloadDapps().catch(() => {})) : undefined),
    [canConnect, dapps],
  )

  async function disconnectApp({ id, name }: ConnectedApp) {
    const disconnect = () => api.call(providerRoutes.endConnectedApp, { id }).then(() => {}, ignoreNotFound)
    if (!(await screens.open(disconnectScreen, { name, disconnect }))) return
    queryClient.setQueryData<typeof data>(
      queryKey,
      (shown) => shown && { ...shown, apps: shown.apps.filter((app) => app.id !== id) },
    )
    setChange({ type: 'ended', name })
  }

  async function disconnectDapp({ id, name }: ConnectedDapp) {
    if (!(await screens.open(disconnectScreen, { name, disconnect: () => dapps.end(id) }))) return
    await reloadDapps()
    setChange({ type: 'ended', name })
  }

  async function connect() {
    const name = await dapps.connect(screens)
    if (name === undefined) return
    await reloadDapps()
    setChange({ type: 'connected', name })
  }

  return (
    <ConnectedAppsView
      status={isPending ? 'pending' : isError ? 'error' : 'success'}
      apps={data?.apps ?? []}
      dapps={data?.dapps ?? []}
      canConnect={canConnect}
      change={change}
      onRetry={() => void refetch()}
      onDisconnectApp={(app) => void disconnectApp(app)}
      onDisconnectDapp={(dapp) => void disconnectDapp(dapp)}
      onConnect={() => void connect().catch(() => {})}
    />
  )
}

/** Another device may have disconnected the app before. */
function ignoreNotFound(error: unknown) {
  if (toLatchkeyError(error, 'error', '').code !== 'not_found') throw error
}

export type ConnectedApp = RouteOutput<typeof providerRoutes.connectedApps>['apps'][number]
/** The last change that the user made here. */
type ConnectedAppsChange = { type: 'ended' | 'connected'; name: string }

export type ConnectedAppsViewProps = {
  status: 'pending' | 'error' | 'success'
  apps: readonly ConnectedApp[]
  dapps: readonly ConnectedDapp[]
  canConnect: boolean
  change: ConnectedAppsChange | undefined
  onRetry: () => void
  onDisconnectApp: (app: ConnectedApp) => void
  onDisconnectDapp: (dapp: ConnectedDapp) => void
  onConnect: () => void
}

export function ConnectedAppsView({
  status,
  apps,
  dapps,
  canConnect,
  change,
  onRetry,
  onDisconnectApp,
  onDisconnectDapp,
  onConnect,
}: ConnectedAppsViewProps) {
  const { title, reading, failed, none, detail, connect, ...words } = useTexts(texts)
  if (status === 'pending') {
    return (
      <Waiting title={title} detail={reading}>
        <WalletFace />
      </Waiting>
    )
  }
  if (status === 'error') {
    return <Failure title={failed.title} detail={failed.detail} button={failed.retry} onPress={onRetry} />
  }
  return (
    <Stack>
      <Heading>
        <Title>{title}</Title>
        <Lead>{apps.length + dapps.length === 0 ? none : detail}</Lead>
      </Heading>
      {change && <Banner kind="info">{words[change.type]({ app: change.name })}</Banner>}
      <ul className={styles.list}>
        {apps.map((app) => (
          <AppRow key={app.id} app={app} onDisconnect={() => onDisconnectApp(app)} />
        ))}
        {dapps.map((dapp) => (
          <DappRow key={dapp.id} dapp={dapp} onDisconnect={() => onDisconnectDapp(dapp)} />
        ))}
      </ul>
      {canConnect && (
        <Button kind="quiet" onPress={onConnect}>
          {connect}
        </Button>
      )}
    </Stack>
  )
}

type AppRowProps = { app: ConnectedApp; onDisconnect: () => void }

function AppRow({ app, onDisconnect }: AppRowProps) {
  const { wallet } = useTexts(texts)
  const { address } = useTexts(shellTexts)
  return (
    <Row
      name={app.name}
      url={app.origin}
      sinceMs={app.createdAt * 1_000}
      lastUsedMs={app.lastUsedAt === null ? undefined : app.lastUsedAt * 1_000}
      allowed={useAllowed(app)}
      onDisconnect={onDisconnect}
    >
      <Note>
        {wallet} <Address address={app.address} copyLabel={address.copy} copiedLabel={address.copied} />
      </Note>
    </Row>
  )
}

type DappRowProps = { dapp: ConnectedDapp; onDisconnect: () => void }

/** The name and address are unverified. The user confirms each request. */
function DappRow({ dapp, onDisconnect }: DappRowProps) {
  const { allowed, byLink } = useTexts(texts)
  return (
    <Row {...dapp} allowed={[allowed.read, allowed.sign, allowed.send]} onDisconnect={onDisconnect}>
      <Note>{byLink}</Note>
    </Row>
  )
}

type RowProps = Pick<ConnectedDapp, 'name' | 'url' | 'sinceMs' | 'lastUsedMs'> & {
  allowed: readonly string[]
  onDisconnect: () => void
  children: ReactNode
}

function Row({ name, url, sinceMs, lastUsedMs, allowed, onDisconnect, children }: RowProps) {
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
        <Button kind="text" describedBy={nameId} onPress={onDisconnect}>
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

/** Returns a line for each permission of the app. */
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
