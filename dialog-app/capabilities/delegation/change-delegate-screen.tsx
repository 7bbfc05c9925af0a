/** Reviews, approves and sends a change of the contract that the wallet runs. */
import { LatchkeyError } from '@latchkey/protocol'
import type { Chain } from '@latchkey/protocol/chains'
import { formatExact } from '@latchkey/protocol/reading'
import { type Delegation, noDelegate } from '@latchkey/protocol/wallet'
import { useLayoutEffect, useState } from 'react'
import { useDialog } from '../../app/context.ts'
import type { ScreenProps } from '../../app/screen.ts'
import { useContentChange, useHeader } from '../../app/screen-options.ts'
import type { ConfirmationHandlers, ShownApproval } from '../../approval/confirmed.ts'
import { isRefusal } from '../../approval/rejection.ts'
import { ApprovalStep } from '../../approval/step/approval-step.tsx'
import { useApprovedSigning } from '../../approval/use-approved-signing.ts'
import type { CapabilityPorts } from '../../contract/capability.ts'
import { useTexts } from '../../i18n/context.tsx'
import { texts as shellTexts } from '../../i18n/shell-texts.arb'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/feedback/failure.tsx'
import { Banner } from '../../ui/lazy/banner.tsx'
import { Address } from '../../ui/rows/address.tsx'
import { Fact, Facts } from '../../ui/rows/facts.tsx'
import { Foot, Heading, Note, Stack } from '../../ui/stack.tsx'
import { Lead, Title } from '../../ui/title.tsx'
import { type DelegateChange, sendChange } from './change-delegate.ts'
import { useNetworkName } from './delegation-screen.tsx'
import { texts } from './texts.arb'

type Props = ScreenProps<'changed', { ports: CapabilityPorts; plan: DelegateChange }>

type Status = ChangeDelegateViewProps['status']

export function ChangeDelegateScreen({ screen, ports, plan }: Props) {
  const { handle } = useDialog()
  const { signal } = handle
  const { account, request, isPoor } = plan
  const [status, setStatus] = useState<Status>(isPoor ? 'poor' : 'review')
  const { approval, sign } = useApprovedSigning(ports, account, setStatus)

  async function approveAndSend(): Promise<void> {
    await sendChange(ports, plan, await sign(request), handle)
    screen.resolve('changed')
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: the approval starts with the screen.
  useLayoutEffect(() => {
    if (isPoor) return
    approveAndSend().catch((cause: unknown) => {
      if (signal.aborted) return
      if (isRefusal(cause)) return screen.leave()
      setStatus(isUndecided(cause) ? 'unknown' : 'failed')
    })
  }, [])

  // An authorization cannot be cancelled while it is signed and sent. That has a deadline.
  useHeader({ back: status !== 'sending', close: status !== 'sending' })
  useContentChange(status)
  return (
    <ChangeDelegateView
      status={status}
      plan={plan}
      approval={approval.shown}
      handlers={approval.handlers}
      onKeep={screen.leave}
    />
  )
}

/** The network may make the change although its answer was lost, or came too late. */
const undecided: LatchkeyError['code'][] = ['outcome_unknown', 'server_unreachable', 'client_request_timeout']
const isUndecided = (cause: unknown) => cause instanceof LatchkeyError && undecided.includes(cause.code)

export type ChangeDelegateViewProps = {
  status: 'review' | 'sending' | 'poor' | 'failed' | 'unknown'
  plan: Pick<DelegateChange, 'chain' | 'contract' | 'delegation'>
  approval: ShownApproval
  handlers: ConfirmationHandlers
  onKeep: () => void
}

export function ChangeDelegateView({ status, plan, approval, handlers, onKeep }: ChangeDelegateViewProps) {
  const { change } = useTexts(texts)
  if (status === 'failed' || status === 'unknown') {
    const { title, detail } = change[status]
    return <Failure title={title} detail={detail} button={change.leave} onPress={onKeep} />
  }
  const words = plan.delegation.delegate === noDelegate ? change.remove : change.replace
  const isSending = status === 'sending'
  const keepButton = (
    <Button kind="quiet" onPress={onKeep}>
      {change.keep}
    </Button>
  )
  return (
    <Stack>
      <Heading>
        <Title>{words.title}</Title>
        <Lead>{words.detail}</Lead>
      </Heading>
      <ChangeFacts {...plan} />
      {status === 'poor' ? (
        <>
          <Banner kind="warning">{change.poor}</Banner>
          <Foot>{keepButton}</Foot>
        </>
      ) : (
        <ApprovalStep
          shown={isSending ? { by: 'given' } : approval}
          handlers={handlers}
          busy={isSending && words.busy}
          other={!isSending && keepButton}
        >
          {words.go}
        </ApprovalStep>
      )}
    </Stack>
  )
}

function ChangeFacts({ chain, contract, delegation }: ChangeDelegateViewProps['plan']) {
  const { change, network } = useTexts(texts)
  const { address } = useTexts(shellTexts)
  const getName = useNetworkName()
  const fee = useMaximumFee(chain, delegation)
  const renderContract = (contractAddress: string) => (
    <Address address={contractAddress} copyLabel={address.copy} copiedLabel={address.copied} isWhole />
  )
  return (
    <>
      <Facts>
        <Fact term={network}>{getName(chain)}</Fact>
        <Fact term={change.contract}>{renderContract(contract)}</Fact>
        {delegation.delegate !== noDelegate && (
          <Fact term={change.next}>{renderContract(delegation.delegate)}</Fact>
        )}
        {fee !== undefined && (
          <Fact term={change.fee}>
            <bdi dir="ltr">{fee}</bdi>
          </Fact>
        )}
      </Facts>
      {fee === undefined && <Note>{change.sponsored}</Note>}
    </>
  )
}

/** Returns the maximum fee of the wallet with all its digits, or undefined if the operator pays. */
function useMaximumFee(chain: Chain, { fees }: Delegation): string | undefined {
  const { change } = useTexts(texts)
  if (fees === null) return undefined
  const amount = BigInt(fees.gas) * BigInt(fees.maxFee)
  return chain.symbol === undefined
    ? change.smallest({ amount: String(amount) })
    : `${formatExact(amount, chain.decimals)} ${chain.symbol}`
}
