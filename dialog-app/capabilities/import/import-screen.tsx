import type { PartProps } from '../../flow/screen.ts'
import { useTexts } from '../../i18n/context.tsx'
import { Button } from '../../ui/button.tsx'
import { Banner } from '../../ui/feedback/banner.tsx'
import { Failure } from '../../ui/feedback/failure.tsx'
import { Success } from '../../ui/feedback/success.tsx'
import { Waiting } from '../../ui/feedback/waiting.tsx'
import { WalletFace } from '../../ui/rows/wallet-face.tsx'
import { Heading, Stack } from '../../ui/stack.tsx'
import { Lead, Title } from '../../ui/title.tsx'
import { WalletPage } from '../../ui/wallet-page/wallet-page.tsx'
import { texts } from './texts.arb'

export type ImportState =
  | { status: 'opening' }
  /** The page says how far it is; while its key is imported, the page stays and the way out does not. */
  | { status: 'page' | 'importing'; pageUrl: string }
  | { status: 'done'; address: string }
  /** `taken`: another user has the wallet, and another key is what helps. */
  | { status: 'failed' | 'taken' }
export type ImportEvents = { retry: readonly []; leave: readonly [] }

export function ImportScreen({ state, send }: PartProps<ImportState, ImportEvents>) {
  const { title, detail, warning, page, opening, cancel, failed, taken, done } = useTexts(texts)
  switch (state.status) {
    case 'opening':
      return (
        <Waiting title={title} detail={opening}>
          <WalletFace />
        </Waiting>
      )
    case 'page':
    case 'importing':
      return (
        <Stack>
          <Heading>
            <Title>{title}</Title>
            <Lead>{detail}</Lead>
          </Heading>
          <Banner kind="warning">{warning}</Banner>
          <WalletPage url={state.pageUrl} label={page} />
          {state.status === 'page' && (
            <Button kind="quiet" onPress={() => send('leave')}>
              {cancel}
            </Button>
          )}
        </Stack>
      )
    case 'done':
      return <Success title={done.title} detail={done.detail} />
    case 'failed':
    case 'taken': {
      const { detail, retry } = state.status === 'taken' ? taken : failed
      return <Failure title={title} detail={detail} button={retry} onPress={() => send('retry')} />
    }
    default:
      return state satisfies never
  }
}
