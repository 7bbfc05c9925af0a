/** Lists the signatures and changes of the user's wallet, newest first. */
import { type ActivityEntry, activityRoutes } from '@latchkey/protocol/api'
import { findNamedChain } from '@latchkey/protocol/chains'
import { formatTokens } from '@latchkey/protocol/reading'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useDialog } from '../../app/context.ts'
import { useWaits } from '../../app/screen-options.ts'
import { QueryProvider } from '../../app/server-data/query-provider.tsx'
import type { Settings } from '../../host/settings.ts'
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
import styles from './activity-screen.module.css'
import { texts } from './texts.arb'

export const ActivityScreen = () => (
  <QueryProvider>
    <Activity />
  </QueryProvider>
)

function Activity() {
  const { api, settings } = useDialog().services
  const activity = useInfiniteQuery({
    queryKey: ['activity'],
    queryFn: ({ pageParam, signal }) =>
      api.call(activityRoutes.activity, undefined, {
        signal,
        query: pageParam ? { before: pageParam } : undefined,
      }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  })
  useWaits(activity.isPending)
  return (
    <ActivityView
      status={activity.data ? 'success' : activity.status}
      entries={activity.data?.pages.flatMap((page) => page.activity) ?? []}
      hasMore={activity.hasNextPage}
      isLoadingMore={activity.isFetchingNextPage}
      hasMoreFailed={activity.isFetchNextPageError}
      app={settings().app}
      onRetry={() => void activity.refetch()}
      onMore={() => void activity.fetchNextPage()}
    />
  )
}

/** The chains of the app have names and currencies. */
type App = Pick<Settings['app'], 'chains'>

export type ActivityViewProps = {
  status: 'pending' | 'error' | 'success'
  entries: readonly ActivityEntry[]
  hasMore: boolean
  isLoadingMore: boolean
  hasMoreFailed: boolean
  app: App
  onRetry: () => void
  onMore: () => void
}

export function ActivityView(props: ActivityViewProps) {
  const { status, entries, hasMore, isLoadingMore, hasMoreFailed, app, onRetry, onMore } = props
  const { title, reading, failed, none, detail, more, moreFailed } = useTexts(texts)
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
        <Lead>{entries.length === 0 ? none : detail}</Lead>
      </Heading>
      <ul className={styles.list}>
        {entries.map((entry) => (
          <Row key={entry.id} entry={entry} app={app} />
        ))}
      </ul>
      {hasMoreFailed && <Banner kind="danger">{moreFailed}</Banner>}
      {hasMore && (
        <Button kind="quiet" busy={isLoadingMore && more} onPress={onMore}>
          {more}
        </Button>
      )}
    </Stack>
  )
}

type RowProps = { entry: ActivityEntry; app: App }

function Row({ entry: { kind, at, app: connectedApp, place, chainId, to, value }, app }: RowProps) {
  const { kinds, silent, to: toward } = useTexts(texts)
  const { address } = useTexts(shellTexts)
  const language = useLanguage()
  const date = new Date(at * 1_000)
  const chain = chainId === undefined ? undefined : findNamedChain(app, Number(chainId))
  // The symbol and decimals of an unknown chain are unknown, so its number is shown without an amount.
  const network = chain?.name ?? chainId
  return (
    <li className={styles.row}>
      <span className={styles.kind}>{kinds[kind]}</span>
      {chain && value !== undefined && (
        <bdi className={styles.amount} dir="ltr">
          {formatTokens(BigInt(value), chain.decimals)} {chain.symbol}
        </bdi>
      )}
      <Note>
        <time dateTime={date.toISOString()}>
          {new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(date)}
        </time>
        {connectedApp !== undefined && (
          <>
            {' · '}
            <bdi>{connectedApp}</bdi>
          </>
        )}
        {network !== undefined && <> · {network}</>}
        {place === 'silent' && <> · {silent}</>}
      </Note>
      {to !== undefined && (
        <Note>
          {toward} <Address address={to} copyLabel={address.copy} copiedLabel={address.copied} />
        </Note>
      )}
    </li>
  )
}
