/** Shows the page of the wallet origin that takes the user's key. */
import type { WalletAccount } from '@latchkey/protocol'
import { useEffect, useState } from 'react'
import type { ScreenProps } from '../../app/screen.ts'
import { useHeader, useWaits } from '../../app/screen-options.ts'
import { useTexts } from '../../i18n/context.tsx'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/feedback/failure.tsx'
import { Success } from '../../ui/feedback/success.tsx'
import { Waiting } from '../../ui/feedback/waiting.tsx'
import { Banner } from '../../ui/lazy/banner.tsx'
import { WalletFace } from '../../ui/rows/wallet-face.tsx'
import { Heading, Stack } from '../../ui/stack.tsx'
import { Lead, Title } from '../../ui/title.tsx'
import { WalletPage } from '../../ui/wallet-page/wallet-page.tsx'
import { texts } from './texts.arb'

/** A page that takes a key, and the work that imports it. */
export type KeyPage = {
  pageUrl: string
  /** Calls `onChosen` when the user confirms the address on the page. */
  importWallet: (onChosen: () => void) => Promise<WalletAccount>
}

/** `taken`: another user has the wallet, so only another key helps. */
export type ImportProblem = 'failed' | 'taken'

export function Opening() {
  const { title, opening } = useTexts(texts)
  return (
    <Waiting title={title} detail={opening}>
      <WalletFace />
    </Waiting>
  )
}

type ImportScreenProps = ScreenProps<WalletAccount, { openPage: () => Promise<KeyPage> }>

/** Resolves with the imported wallet. */
export function ImportScreen({ openPage, screen }: ImportScreenProps) {
  const [pageUrl, setPageUrl] = useState<string>()
  const [isImporting, setImporting] = useState(false)
  useWaits(pageUrl === undefined)
  // A started import ends first. That takes seconds and has a deadline.
  useHeader({ back: false, close: !isImporting })
  useEffect(() => {
    async function importFromPage() {
      const page = await openPage()
      setPageUrl(page.pageUrl)
      return page.importWallet(() => setImporting(true))
    }
    importFromPage().then(screen.resolve, screen.reject)
  }, [openPage, screen])
  return pageUrl === undefined ? (
    <Opening />
  ) : (
    <KeyPageView pageUrl={pageUrl} isImporting={isImporting} onLeave={screen.leave} />
  )
}

export type KeyPageViewProps = {
  pageUrl: string
  isImporting: boolean
  onLeave: () => void
}

/** The page stays mounted while its key is imported. */
export function KeyPageView({ pageUrl, isImporting, onLeave }: KeyPageViewProps) {
  const { title, detail, warning, page, cancel } = useTexts(texts)
  return (
    <Stack>
      <Heading>
        <Title>{title}</Title>
        <Lead>{detail}</Lead>
      </Heading>
      <Banner kind="warning">{warning}</Banner>
      <WalletPage url={pageUrl} label={page} />
      {!isImporting && (
        <Button kind="quiet" onPress={onLeave}>
          {cancel}
        </Button>
      )}
    </Stack>
  )
}

/** Resolves when the user tries again. */
export const FailedScreen = ({ problem, screen }: ScreenProps<undefined, { problem: ImportProblem }>) => (
  <Failed problem={problem} onRetry={() => screen.resolve(undefined)} />
)

type FailedProps = { problem: ImportProblem; onRetry: () => void }

export function Failed({ problem, onRetry }: FailedProps) {
  const words = useTexts(texts)
  const { detail, retry } = words[problem]
  return <Failure title={words.title} detail={detail} button={retry} onPress={onRetry} />
}

export function Imported() {
  const { done } = useTexts(texts)
  return <Success title={done.title} detail={done.detail} />
}
