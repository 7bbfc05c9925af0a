import type { PartProps } from '../../flow/screen.ts'
import { useTexts } from '../../i18n/context.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Banner } from '../../ui/feedback/banner.tsx'
import { Group, OptionRow } from '../../ui/group.tsx'
import { RowIcon } from '../../ui/row-icon.tsx'
import { Address } from '../../ui/rows/address.tsx'
import { Fact, Facts } from '../../ui/rows/facts.tsx'
import { Heading, Stack } from '../../ui/stack.tsx'
import { Lead, Title } from '../../ui/title.tsx'
import styles from './funding-screens.module.css'
import { texts } from './texts.arb'
import { TransferRow } from './transfer-screen.tsx'

/** How far the way to the provider is, which is opened in the press itself. */
export type CardWay =
  | { at: 'preparing' }
  | { at: 'ready' }
  /** No window came when it was pressed. */
  | { at: 'blocked'; url: string }
  | { at: 'failed' }
export type Missing = { amount: string; network: string | undefined }
export type PromptState = {
  appName: string
  address: string
  missing: Missing | undefined
  card: CardWay
  /** The user may pay from an external wallet. */
  canTransfer: boolean
}
export type PromptEvents = {
  pay: readonly []
  /** The link was followed. */
  opened: readonly []
  retry: readonly []
  receive: readonly []
  transfer: readonly []
}
type Props = PartProps<PromptState, PromptEvents>

export function PromptScreen({ state, send }: Props) {
  const { prompt, receive, copy } = useTexts(texts)
  const { card, missing } = state
  return (
    <Stack>
      <Heading>
        <Title>{prompt.title}</Title>
        <Lead>{prompt.detail({ app: state.appName })}</Lead>
      </Heading>
      {missing && <Banner kind="info">{prompt.missing({ amount: missing.amount })}</Banner>}
      <ul className={styles.points}>
        {Object.values(prompt.points).map((point) => (
          <li key={point}>{point}</li>
        ))}
      </ul>
      <Facts>
        <Fact term={prompt.to}>
          <Address address={state.address} copyLabel={copy.label} copiedLabel={copy.done} isWhole />
        </Fact>
      </Facts>
      <Pay card={card} send={send} />
      <Group>
        {state.canTransfer && <TransferRow onPress={() => send('transfer')} />}
        <OptionRow
          icon={<RowIcon name="wallet" />}
          label={receive.row}
          end={{ kind: 'more' }}
          onPress={() => send('receive')}
        />
      </Group>
    </Stack>
  )
}

function Pay({ card, send }: { card: CardWay; send: Props['send'] }) {
  const { prompt } = useTexts(texts)
  switch (card.at) {
    case 'preparing':
    case 'ready':
      return (
        <Button busy={card.at === 'preparing' && prompt.preparing} onPress={() => send('pay')}>
          {prompt.button}
        </Button>
      )
    case 'blocked':
      return (
        <>
          <Banner kind="warning">{prompt.blocked}</Banner>
          <ButtonLink href={card.url} onPress={() => send('opened')}>
            {prompt.open}
          </ButtonLink>
        </>
      )
    case 'failed':
      return (
        <>
          <Banner kind="danger">{prompt.failed}</Banner>
          <Button onPress={() => send('retry')}>{prompt.retry}</Button>
        </>
      )
    default:
      return card satisfies never
  }
}
