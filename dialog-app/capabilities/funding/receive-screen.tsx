import type { PartProps } from '../../flow/screen.ts'
import { useTexts } from '../../i18n/context.tsx'
import { AppQr } from '../../phone-app/app-qr.tsx'
import { Button } from '../../ui/button.tsx'
import { Banner } from '../../ui/feedback/banner.tsx'
import { Group } from '../../ui/group.tsx'
import { Address } from '../../ui/rows/address.tsx'
import { Fact, Facts } from '../../ui/rows/facts.tsx'
import { OptionLink } from '../../ui/rows/option-link.tsx'
import { Heading, Stack } from '../../ui/stack.tsx'
import { Lead, Title } from '../../ui/title.tsx'
import styles from './funding-screens.module.css'
import type { Missing } from './prompt-screen.tsx'
import { texts } from './texts.arb'
import { TransferRow } from './transfer-screen.tsx'

export type ReceiveState = {
  address: string
  /** Undefined for a chain that no list has. */
  network: string | undefined
  chainId: number | undefined
  missing: Missing | undefined
  /** The user may pay from an external wallet. */
  canTransfer: boolean
  /** Of a test network, where the operator names one. */
  faucetUrl: string | undefined
  /** What came while it was looked at. */
  arrived: string | undefined
}
export type ReceiveEvents = { leave: readonly []; transfer: readonly [] }

export function ReceiveScreen({ state, send }: PartProps<ReceiveState, ReceiveEvents>) {
  const { receive, prompt, status, copy } = useTexts(texts)
  const { address, network, chainId, missing, canTransfer, faucetUrl, arrived } = state
  const said = network ?? (chainId === undefined ? undefined : receive.numbered({ id: String(chainId) }))
  return (
    <Stack>
      <Heading>
        <Title>{receive.title}</Title>
        <Lead>{receive.detail}</Lead>
      </Heading>
      {missing && <Banner kind="info">{prompt.missing({ amount: missing.amount })}</Banner>}
      <div className={styles.code}>
        <AppQr value={address} label={receive.code} />
      </div>
      <Facts>
        <Fact term={receive.address}>
          <Address address={address} copyLabel={copy.label} copiedLabel={copy.done} isWhole />
        </Fact>
        {said !== undefined && <Fact term={receive.network}>{said}</Fact>}
      </Facts>
      <Banner kind="warning">
        {said === undefined ? receive.warningAny : receive.warning({ network: said })}
      </Banner>
      <div role="status">
        {arrived === undefined ? (
          chainId !== undefined && <Lead>{receive.watching}</Lead>
        ) : (
          <Banner kind="info">{receive.arrived({ amount: arrived })}</Banner>
        )}
      </div>
      {(canTransfer || faucetUrl !== undefined) && (
        <Group>
          {canTransfer && <TransferRow onPress={() => send('transfer')} />}
          {faucetUrl !== undefined && (
            <OptionLink href={faucetUrl} label={receive.faucet} title={faucetUrl} />
          )}
        </Group>
      )}
      <Button onPress={() => send('leave')}>{status.done}</Button>
    </Stack>
  )
}
