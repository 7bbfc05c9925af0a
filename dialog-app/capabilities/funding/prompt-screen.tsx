import { useDialog } from '../../app/context.ts'
import { appName } from '../../host/settings.ts'
import { useTexts } from '../../i18n/context.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Group, OptionRow } from '../../ui/group.tsx'
import { Banner } from '../../ui/lazy/banner.tsx'
import { RowIcon } from '../../ui/lazy/row-icon.tsx'
import { Address } from '../../ui/rows/address.tsx'
import { Fact, Facts } from '../../ui/rows/facts.tsx'
import { Heading, Stack } from '../../ui/stack.tsx'
import { Lead, Title } from '../../ui/title.tsx'
import type { ProviderPage } from './create-funding.ts'
import styles from './funding-screens.module.css'
import { receiveScreen, statusScreen, transferScreen } from './screens.ts'
import { texts } from './texts.arb'
import { TransferRow } from './transfer-screen.tsx'
import { type FundingProps, useFunding } from './use-funding.ts'

export function PromptScreen({ funding }: FundingProps) {
  const { settings } = useDialog().services
  const { page, open } = useFunding(funding)
  const { address, missing, transfer } = funding
  return (
    <PromptView
      appName={appName(settings())}
      address={address}
      missing={missing}
      page={page}
      onPay={() => funding.pay() && open(statusScreen, { funding })}
      onFollowLink={() => funding.payByLink() && open(statusScreen, { funding })}
      onRetry={() => void funding.prepare()}
      onReceive={() => open(receiveScreen, { funding })}
      onTransfer={transfer && (() => open(transferScreen, { funding, ...transfer }))}
    />
  )
}

export type PromptViewProps = {
  appName: string
  address: string
  /** The amount that a transaction needs, with its unit. */
  missing: string | undefined
  page: ProviderPage
  onPay: () => void
  onFollowLink: () => void
  onRetry: () => void
  onReceive: () => void
  /** Undefined if the app allows no external wallets. */
  onTransfer: (() => void) | undefined
}

export function PromptView(props: PromptViewProps) {
  const { appName: app, address, missing, onReceive, onTransfer } = props
  const { prompt, receive, copy } = useTexts(texts)
  return (
    <Stack>
      <Heading>
        <Title>{prompt.title}</Title>
        <Lead>{prompt.detail({ app })}</Lead>
      </Heading>
      {missing !== undefined && <Banner kind="info">{prompt.missing({ amount: missing })}</Banner>}
      <ul className={styles.points}>
        {Object.values(prompt.points).map((point) => (
          <li key={point}>{point}</li>
        ))}
      </ul>
      <Facts>
        <Fact term={prompt.to}>
          <Address address={address} copyLabel={copy.label} copiedLabel={copy.done} isWhole />
        </Fact>
      </Facts>
      <Pay {...props} />
      <Group>
        {onTransfer && <TransferRow onPress={onTransfer} />}
        <OptionRow
          icon={<RowIcon name="wallet" />}
          label={receive.row}
          end={{ kind: 'more' }}
          onPress={onReceive}
        />
      </Group>
    </Stack>
  )
}

type PayProps = Pick<PromptViewProps, 'page' | 'onPay' | 'onFollowLink' | 'onRetry'>

function Pay({ page, onPay, onFollowLink, onRetry }: PayProps) {
  const { prompt } = useTexts(texts)
  switch (page.at) {
    case 'preparing':
    case 'ready':
      return (
        <Button busy={page.at === 'preparing' && prompt.preparing} onPress={onPay}>
          {prompt.button}
        </Button>
      )
    case 'blocked':
      return (
        <>
          <Banner kind="warning">{prompt.blocked}</Banner>
          <ButtonLink href={page.url} onPress={onFollowLink}>
            {prompt.open}
          </ButtonLink>
        </>
      )
    case 'failed':
      return (
        <>
          <Banner kind="danger">{prompt.failed}</Banner>
          <Button onPress={onRetry}>{prompt.retry}</Button>
        </>
      )
    default:
      return page satisfies never
  }
}
