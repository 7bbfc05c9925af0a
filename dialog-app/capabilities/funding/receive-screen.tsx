import { useDialog } from '../../app/context.ts'
import { useTexts } from '../../i18n/context.tsx'
import { AppQr } from '../../phone-app/app-qr.tsx'
import { Button } from '../../ui/button.tsx'
import { Group } from '../../ui/group.tsx'
import { Banner } from '../../ui/lazy/banner.tsx'
import { Address } from '../../ui/rows/address.tsx'
import { Fact, Facts } from '../../ui/rows/facts.tsx'
import { OptionLink } from '../../ui/rows/option-link.tsx'
import { Heading, Stack } from '../../ui/stack.tsx'
import { Lead, Title } from '../../ui/title.tsx'
import { formatAmount } from './create-funding.ts'
import styles from './funding-screens.module.css'
import { transferScreen } from './screens.ts'
import { texts } from './texts.arb'
import { TransferRow } from './transfer-screen.tsx'
import { type FundingProps, useFunding } from './use-funding.ts'

export function ReceiveScreen({ funding }: FundingProps) {
  const { app, addresses } = useDialog().services.settings()
  const { arrived, open } = useFunding(funding)
  const { address, chain, missing, transfer, finish } = funding
  return (
    <ReceiveView
      address={address}
      network={chain?.name}
      chainId={chain?.id}
      missing={missing}
      faucetUrl={chain && app.testNetworks.includes(chain.id) ? addresses[`faucet${chain.id}`] : undefined}
      arrived={chain && arrived !== undefined ? formatAmount(chain, arrived) : undefined}
      onTransfer={transfer && (() => open(transferScreen, { funding, ...transfer }))}
      onLeave={finish}
    />
  )
}

export type ReceiveViewProps = {
  address: string
  /** Undefined for an unknown chain. */
  network: string | undefined
  chainId: number | undefined
  /** The amount that a transaction needs, with its unit. */
  missing: string | undefined
  /** The operator's faucet of a test network. */
  faucetUrl: string | undefined
  /** The amount that arrived, with its unit. */
  arrived: string | undefined
  /** Undefined if the app allows no external wallets. */
  onTransfer: (() => void) | undefined
  onLeave: () => void
}

export function ReceiveView({
  address,
  network,
  chainId,
  missing,
  faucetUrl,
  arrived,
  onTransfer,
  onLeave,
}: ReceiveViewProps) {
  const { receive, prompt, status, copy } = useTexts(texts)
  const networkName =
    network ?? (chainId === undefined ? undefined : receive.numbered({ id: String(chainId) }))
  return (
    <Stack>
      <Heading>
        <Title>{receive.title}</Title>
        <Lead>{receive.detail}</Lead>
      </Heading>
      {missing !== undefined && <Banner kind="info">{prompt.missing({ amount: missing })}</Banner>}
      <div className={styles.code}>
        <AppQr value={address} label={receive.code} />
      </div>
      <Facts>
        <Fact term={receive.address}>
          <Address address={address} copyLabel={copy.label} copiedLabel={copy.done} isWhole />
        </Fact>
        {networkName !== undefined && <Fact term={receive.network}>{networkName}</Fact>}
      </Facts>
      <Banner kind="warning">
        {networkName === undefined ? receive.warningAny : receive.warning({ network: networkName })}
      </Banner>
      <div role="status">
        {arrived === undefined ? (
          chainId !== undefined && <Lead>{receive.watching}</Lead>
        ) : (
          <Banner kind="info">{receive.arrived({ amount: arrived })}</Banner>
        )}
      </div>
      {(onTransfer || faucetUrl !== undefined) && (
        <Group>
          {onTransfer && <TransferRow onPress={onTransfer} />}
          {faucetUrl !== undefined && (
            <OptionLink href={faucetUrl} label={receive.faucet} title={faucetUrl} />
          )}
        </Group>
      )}
      <Button onPress={onLeave}>{status.done}</Button>
    </Stack>
  )
}
