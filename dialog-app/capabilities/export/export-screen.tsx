import type { OpenedWindowState } from '@latchkey/protocol/wallet'
import type { VerificationProblem } from '../../approval/verification-problem.ts'
import type { NoWindow, WindowStep } from '../../contract/wallet-window.ts'
import type { PartProps } from '../../flow/screen.ts'
import { useTexts } from '../../i18n/context.tsx'
import { texts as shellTexts } from '../../i18n/shell-texts.arb'
import { Button } from '../../ui/button.tsx'
import { Banner } from '../../ui/feedback/banner.tsx'
import { Failure } from '../../ui/feedback/failure.tsx'
import { Waiting } from '../../ui/feedback/waiting.tsx'
import { Address } from '../../ui/rows/address.tsx'
import { Fact, Facts } from '../../ui/rows/facts.tsx'
import { WalletFace } from '../../ui/rows/wallet-face.tsx'
import { Heading, Stack } from '../../ui/stack.tsx'
import { Lead, Title } from '../../ui/title.tsx'
import { ToWindow } from '../../ui/wallet-page/to-window.tsx'
import { texts } from './texts.arb'

export type ExportStep =
  | { status: 'connecting' }
  /** The window is opened from here. */
  | { status: 'window'; step: WindowStep<NoWindow> }
  /** The key can be seen there. */
  | { status: 'open' }
  | { status: 'failed'; problem: VerificationProblem | 'failed' | 'unable' }
export type ExportState = { address: string } & ExportStep
export type ExportEvents = {
  /** The button has opened the window, or it reads as closed. */
  opened: readonly [state: OpenedWindowState]
  retry: readonly []
  leave: readonly []
}

type Props = PartProps<ExportState, ExportEvents>

export function ExportScreen({ state, send }: Props) {
  const { title, connecting, shown, problems, retry, done } = useTexts(texts)
  switch (state.status) {
    case 'connecting':
      return (
        <Waiting title={title} detail={connecting}>
          <WalletFace />
        </Waiting>
      )
    case 'window':
      return <ToKey address={state.address} step={state.step} send={send} />
    case 'open':
      return (
        <Stack>
          <Heading>
            <WalletFace />
            <Title>{shown.title}</Title>
            <Lead>{shown.detail}</Lead>
          </Heading>
          <Warning />
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
          isOwnChoice={state.problem === 'canceled'}
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

type ToKeyProps = Pick<Props, 'send'> & {
  address: string
  step: WindowStep<NoWindow>
}

function ToKey({ address, step, send }: ToKeyProps) {
  const words = useTexts(texts)
  const { title, detail, wallet, waiting, cancel, unopened } = words
  const { address: addressTexts } = useTexts(shellTexts)
  const isAsking = step.at === 'asking'
  return (
    <ToWindow
      step={step}
      waiting={{
        title: waiting.title,
        detail: isAsking ? '' : waiting[step.window],
        face: <WalletFace />,
      }}
      words={words}
      onState={(state) => send('opened', state)}
      leave={
        !isAsking && (
          <Button kind="text" onPress={() => send('leave')}>
            {cancel}
          </Button>
        )
      }
    >
      <Heading>
        <Title>{title}</Title>
        <Lead>{detail}</Lead>
      </Heading>
      <Warning />
      <Facts>
        <Fact term={wallet}>
          <Address address={address} copyLabel={addressTexts.copy} copiedLabel={addressTexts.copied} />
        </Fact>
      </Facts>
      {isAsking && step.problem !== undefined && <Banner kind="danger">{unopened[step.problem]}</Banner>}
    </ToWindow>
  )
}
