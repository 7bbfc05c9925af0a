/** Lists the browsers in which the user is logged in, and logs them out. */
import { type OwnSession, ownSessionRoutes } from '@latchkey/protocol/api'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import { useDialog } from '../../app/context.ts'
import { useWaits } from '../../app/screen-options.ts'
import { QueryProvider } from '../../app/server-data/query-provider.tsx'
import { useLanguage, useTexts } from '../../i18n/context.tsx'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/feedback/failure.tsx'
import { Waiting } from '../../ui/feedback/waiting.tsx'
import { Banner } from '../../ui/lazy/banner.tsx'
import { WalletFace } from '../../ui/rows/wallet-face.tsx'
import { Heading, Note, Stack } from '../../ui/stack.tsx'
import { Lead, Title } from '../../ui/title.tsx'
import styles from './own-sessions-screen.module.css'
import { texts } from './texts.arb'

export const OwnSessionsScreen = () => (
  <QueryProvider>
    <OwnSessions />
  </QueryProvider>
)

const queryKey = ['own-sessions']
type EndedSessions = OwnSession | 'others'

function OwnSessions() {
  const { api } = useDialog().services
  const queryClient = useQueryClient()
  const list = useQuery({
    queryKey,
    queryFn: ({ signal }) => api.call(ownSessionRoutes.listOwnSessions, undefined, { signal }),
  })
  useWaits(list.isPending)
  const end = useMutation({
    async mutationFn(ended: EndedSessions) {
      if (ended === 'others') await api.call(ownSessionRoutes.endOtherSessions, {})
      else await api.call(ownSessionRoutes.endOwnSession, { id: ended.id })
    },
    onSuccess: (_, ended) =>
      queryClient.setQueryData<typeof list.data>(
        queryKey,
        (shown) =>
          shown && {
            sessions: shown.sessions.filter(({ id, isCurrent }) =>
              ended === 'others' ? isCurrent : id !== ended.id,
            ),
          },
      ),
  })
  return (
    <OwnSessionsView
      status={list.status}
      sessions={list.data?.sessions ?? []}
      end={{ status: end.status, sessions: end.variables }}
      onRetry={() => void list.refetch()}
      onEnd={(sessions) => end.isPending || end.mutate(sessions)}
    />
  )
}

export type OwnSessionsViewProps = {
  status: 'pending' | 'error' | 'success'
  sessions: readonly OwnSession[]
  /** The last logout that the user asked for. */
  end: { status: 'idle' | 'pending' | 'error' | 'success'; sessions: EndedSessions | undefined }
  onRetry: () => void
  onEnd: (sessions: EndedSessions) => void
}

export function OwnSessionsView({ status, sessions, end, onRetry, onEnd }: OwnSessionsViewProps) {
  const words = useTexts(texts)
  const getName = useName()
  if (status === 'pending') {
    return (
      <Waiting title={words.title} detail={words.reading}>
        <WalletFace />
      </Waiting>
    )
  }
  if (status === 'error') {
    const { title, detail, retry } = words.failed
    return <Failure title={title} detail={detail} button={retry} onPress={onRetry} />
  }
  const isEnding = (ended: EndedSessions) => end.status === 'pending' && end.sessions === ended
  return (
    <Stack>
      <Heading>
        <Title>{words.title}</Title>
        <Lead>{words.detail}</Lead>
      </Heading>
      {end.status === 'error' && <Banner kind="danger">{words.endFailed}</Banner>}
      {end.status === 'success' && end.sessions !== undefined && (
        <Banner kind="info">
          {end.sessions === 'others' ? words.endedOthers : words.ended({ name: getName(end.sessions) })}
        </Banner>
      )}
      <ul className={styles.list}>
        {sessions.map((session) => (
          <Row key={session.id} session={session} isEnding={isEnding(session)} onEnd={() => onEnd(session)} />
        ))}
      </ul>
      {sessions.length > 1 && (
        <Button kind="quiet" busy={isEnding('others') && words.ending} onPress={() => onEnd('others')}>
          {words.endOthers}
        </Button>
      )}
    </Stack>
  )
}

/** Names are unknown for browsers without a known user agent, and after 90 days. */
function useName() {
  const { name, unknown } = useTexts(texts)
  return ({ browser, system }: OwnSession) =>
    browser !== null && system !== null ? name({ browser, system }) : (browser ?? system ?? unknown)
}

type RowProps = { session: OwnSession; isEnding: boolean; onEnd: () => void }

function Row({ session, isEnding, onEnd }: RowProps) {
  const { current, opensWallets, since, lastUsed, end, ending } = useTexts(texts)
  const language = useLanguage()
  const name = useName()(session)
  const nameId = useId()
  const time = (seconds: number) => (
    <time dateTime={new Date(seconds * 1_000).toISOString()}>
      {new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(seconds * 1_000)}
    </time>
  )
  return (
    <li className={styles.session}>
      <div className={styles.head}>
        <span className={styles.name} id={nameId}>
          {name}
        </span>
        {!session.isCurrent && (
          <Button kind="text" describedBy={nameId} busy={isEnding && ending} onPress={onEnd}>
            {end}
          </Button>
        )}
      </div>
      {session.isCurrent && <Note>{current}</Note>}
      {session.opensWallets && <Note>{opensWallets}</Note>}
      <Note>
        {since} {time(session.createdAt)}
      </Note>
      {!session.isCurrent && (
        <Note>
          {lastUsed} {time(session.lastUsedAt)}
        </Note>
      )}
    </li>
  )
}
