import type { PartProps } from '../../../core/screen.ts'
import { useTexts } from '../../../i18n/context.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Heading, Stack } from '../../../ui/stack.tsx'
import { StatusSeal } from '../../../ui/status-seal.tsx'
import { Success } from '../../../ui/success.tsx'
import { Lead, Title } from '../../../ui/title.tsx'
import { Waiting } from '../../../ui/waiting.tsx'
import { WalletFace } from '../../../ui/wallet-face.tsx'
import { texts } from '../texts.ts'

export type PageProblem = 'expired' | 'decided' | 'unknown' | 'changed' | 'unreadable'
export type PageState =
  | { readonly status: 'reading' | 'approved' | 'refused' | 'unreachable' }
  | { readonly status: 'problem'; readonly problem: PageProblem }
export type PageEvents = { readonly retry: readonly [] }

export function PageScreen({ state, send }: PartProps<PageState, PageEvents>) {
  const { reading, approved, refused, unreachable, problems } = useTexts(texts)
  switch (state.status) {
    case 'reading':
      return (
        <Waiting title={reading.title} detail={reading.detail}>
          <WalletFace />
        </Waiting>
      )
    case 'approved':
      return <Success title={approved.title} detail={approved.detail} />
    case 'refused':
      return <Over {...refused} />
    case 'problem':
      return <Over {...problems[state.problem]} />
    case 'unreachable':
      return (
        <Failure
          title={unreachable.title}
          detail={unreachable.detail}
          button={unreachable.retry}
          onPress={() => send('retry')}
        />
      )
    default:
      return state satisfies never
  }
}

/** There is nothing to do here any more. */
const Over = ({ title, detail }: { readonly title: string; readonly detail: string }) => (
  <Stack>
    <StatusSeal status="failed" />
    <Heading>
      <Title>{title}</Title>
      <Lead>{detail}</Lead>
    </Heading>
  </Stack>
)
