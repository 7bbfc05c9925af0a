import type { PartProps } from '../../core/screen.ts'
import type { VerificationProblem } from '../../core/verification-problem.ts'
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
import { texts } from './texts.ts'

export type ExportStep =
  | { readonly status: 'connecting' }
  /** The window is opened from here. */
  | { readonly status: 'asking'; readonly problem?: 'in-app' | 'cut-off' }
  /** One that reads as closed, or of which nothing can be read, may be open all the same. */
  | { readonly status: 'window'; readonly window: 'open' | 'closed' | 'none' }
  /** The key can be seen there. */
  | { readonly status: 'open' }
  | { readonly status: 'failed'; readonly problem: VerificationProblem | 'failed' }
export type ExportState = { readonly address: string } & ExportStep
export type ExportEvents = {
  /** Opens a window, so it is sent in the click. */
  readonly open: readonly []
  readonly retry: readonly []
  readonly leave: readonly []
}

type Props = PartProps<ExportState, ExportEvents>

export function ExportScreen({ state, send }: Props) {
  const { title, connecting, waiting, again, cancel, shown, problems, retry, done } = useTexts(texts)
  switch (state.status) {
    case 'connecting':
      return (
        <Waiting title={title} detail={connecting}>
          <WalletFace />
        </Waiting>
      )
    case 'asking':
      return <Asking state={state} send={send} />
    case 'window':
      return (
        <Stack>
          <Waiting title={waiting.title} detail={waiting[state.window]}>
            <WalletFace />
          </Waiting>
          <Stack>
            {state.window !== 'open' && <Button onPress={() => send('open')}>{again}</Button>}
            <Button kind="text" onPress={() => send('leave')}>
              {cancel}
            </Button>
          </Stack>
        </Stack>
      )
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

type AskingProps = {
  readonly state: Extract<ExportState, { readonly status: 'asking' }>
  readonly send: Props['send']
}

function Asking({ state: { address, problem }, send }: AskingProps) {
  const { title, detail, wallet, open, unopened } = useTexts(texts)
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
          <Address address={address} copyLabel={addressTexts.copy} copiedLabel={addressTexts.copied} />
        </Fact>
      </Facts>
      {problem !== undefined && <Banner kind="danger">{unopened[problem]}</Banner>}
      <Button onPress={() => send('open')}>{open}</Button>
    </Stack>
  )
}
