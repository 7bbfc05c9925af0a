import type { ConfirmedEvents, ShownApproval } from '../../core/confirmed.ts'
import type { PartProps } from '../../core/screen.ts'
import type { VerificationProblem } from '../../core/verification-problem.ts'
import { ApprovalStep } from '../../face/approval-step.tsx'
import { useTexts } from '../../i18n/context.tsx'
import { shellTexts } from '../../i18n/shell.ts'
import { Address } from '../../ui/address.tsx'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Heading, Stack } from '../../ui/stack.tsx'
import { Lead, Title } from '../../ui/title.tsx'
import { Waiting } from '../../ui/waiting.tsx'
import { WalletFace } from '../../ui/wallet-face.tsx'
import { WalletPage } from '../../ui/wallet-page.tsx'
import { texts } from './texts.ts'

export type ExportStep =
  | { readonly status: 'connecting' }
  | { readonly status: 'review'; readonly approval: ShownApproval }
  | { readonly status: 'approved' }
  /** It is the page that says how far it is. */
  | { readonly status: 'page'; readonly pageUrl: string }
  | { readonly status: 'failed'; readonly problem: VerificationProblem | 'failed' }
export type ExportState = { readonly address: string } & ExportStep
export type ExportEvents = ConfirmedEvents & { readonly retry: readonly []; readonly leave: readonly [] }

type Props = PartProps<ExportState, ExportEvents>

export function ExportScreen({ state, send }: Props) {
  const { title, connecting, page, problems, retry, done } = useTexts(texts)
  switch (state.status) {
    case 'connecting':
      return (
        <Waiting title={title} detail={connecting}>
          <WalletFace />
        </Waiting>
      )
    case 'review':
    case 'approved':
      return <Review state={state} send={send} />
    case 'page':
      return (
        <Stack>
          <Heading>
            <Title>{title}</Title>
          </Heading>
          <Warning />
          <WalletPage url={state.pageUrl} address={state.address} label={page} />
          <Button kind="quiet" onPress={() => send('leave')}>
            {done}
          </Button>
        </Stack>
      )
    case 'failed':
      return (
        <Failure
          title={title}
          detail={problems[state.problem]}
          button={retry}
          onPress={() => send('retry')}
        />
      )
    default:
      return state satisfies never
  }
}

function Warning() {
  const { warning } = useTexts(texts)
  return <Banner kind="warning">{warning}</Banner>
}

type ReviewProps = {
  readonly state: Extract<ExportState, { readonly status: 'review' | 'approved' }>
  readonly send: Props['send']
}

function Review({ state, send }: ReviewProps) {
  const { title, detail, wallet, approve, opening, words } = useTexts(texts)
  const { address: addressTexts } = useTexts(shellTexts)
  return (
    <Stack>
      <Heading>
        <Title>{title}</Title>
        <Lead>{detail}</Lead>
      </Heading>
      <Warning />
      <Facts>
        <Fact term={wallet}>
          <Address address={state.address} copyLabel={addressTexts.copy} copiedLabel={addressTexts.copied} />
        </Fact>
      </Facts>
      <ApprovalStep
        shown={state.status === 'review' ? state.approval : { by: 'given' }}
        send={send}
        words={words}
        busy={state.status === 'approved' && opening}
      >
        {approve}
      </ApprovalStep>
    </Stack>
  )
}
