import type { activityKinds } from '@latchkey/protocol/api'
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
import styles from './activity-screen.module.css'
import { texts } from './texts.arb'

export type ActivityRow = {
  id: string
  kind: (typeof activityKinds)[number]
  atMs: number
  /** Nobody was asked: the app allows that, within limits. */
  isSilent: boolean
  /** That the user connected, and that asked for it. */
  app: string | undefined
  to: string | undefined
  network: string | undefined
  amount: string | undefined
}
export type ActivityState =
  | { status: 'reading' | 'failed' }
  /** Newest first. */
  | { status: 'read'; rows: readonly ActivityRow[]; older: Older }
/** What is not shown yet. */
export type Older = 'none' | 'there' | 'reading' | 'failed'
export type ActivityEvents = { retry: readonly []; more: readonly [] }

export function ActivityScreen({ state, send }: PartProps<ActivityState, ActivityEvents>) {
  const { title, reading, failed, none, detail, more, moreFailed } = useTexts(texts)
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
            <Lead>{state.rows.length === 0 ? none : detail}</Lead>
          </Heading>
          <ul className={styles.list}>
            {state.rows.map((row) => (
              <Row key={row.id} row={row} />
            ))}
          </ul>
          {state.older === 'failed' && <Banner kind="danger">{moreFailed}</Banner>}
          {state.older !== 'none' && (
            <Button kind="quiet" busy={state.older === 'reading' && more} onPress={() => send('more')}>
              {more}
            </Button>
          )}
        </Stack>
      )
    default:
      return state satisfies never
  }
}

function Row({ row: { kind, atMs, isSilent, app, to, network, amount } }: { row: ActivityRow }) {
  const { kinds, silent, to: toward } = useTexts(texts)
  const { address } = useTexts(shellTexts)
  const language = useLanguage()
  const when = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(atMs)
  return (
    <li className={styles.row}>
      <span className={styles.kind}>{kinds[kind]}</span>
      {amount !== undefined && (
        <bdi className={styles.amount} dir="ltr">
          {amount}
        </bdi>
      )}
      <Note>
        <time dateTime={new Date(atMs).toISOString()}>{when}</time>
        {app !== undefined && (
          <>
            {' · '}
            <bdi>{app}</bdi>
          </>
        )}
        {network !== undefined && <> · {network}</>}
        {isSilent && <> · {silent}</>}
      </Note>
      {to !== undefined && (
        <Note>
          {toward} <Address address={to} copyLabel={address.copy} copiedLabel={address.copied} />
        </Note>
      )}
    </li>
  )
}

export type AccountEntryEvents = { open: readonly [] }

export function AccountEntry({ send }: PartProps<object, AccountEntryEvents>) {
  const { account } = useTexts(texts)
  return <AccountRow icon="wallet" label={account} onPress={() => send('open')} />
}
