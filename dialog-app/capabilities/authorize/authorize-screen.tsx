import { toLatchkeyError } from '@latchkey/protocol'
import { crossAppLimits } from '@latchkey/protocol/api'
import { useAtomValue } from 'jotai/react'
import { useLayoutEffect, useState } from 'react'
import { useDialog } from '../../app/context.ts'
import type { ScreenProps } from '../../app/screen.ts'
import { useContentChange } from '../../app/screen-options.ts'
import { useTexts } from '../../i18n/context.tsx'
import { brandingAtom } from '../../shell/atoms.ts'
import { Brand } from '../../shell/elements/brand.tsx'
import { Failure } from '../../ui/feedback/failure.tsx'
import { Waiting } from '../../ui/feedback/waiting.tsx'
import { WalletFace } from '../../ui/rows/wallet-face.tsx'
import { texts } from './texts.arb'

type Step =
  | { status: 'leaving' }
  /** `isLate`: the code of the login has expired. */
  | { status: 'failed'; isLate: boolean }
  /** No wallet page opened this page. */
  | { status: 'alone' }

type Props = ScreenProps<
  void,
  {
    /** Resolves when this page is being left. Undefined if no wallet page opened this page. */
    handover: Promise<void> | undefined
  }
>

/** Resolves when the user wants to log in again. */
export function AuthorizeScreen({ screen, handover }: Props) {
  const { handle } = useDialog()
  const [step, setStep] = useState<Step>({ status: handover ? 'leaving' : 'alone' })
  useContentChange(step.status)
  useLayoutEffect(() => {
    const fail = (isLate: boolean) => setStep({ status: 'failed', isLate })
    handover?.then(
      // Runs only if the wallet page does not load.
      () => handle.after(crossAppLimits.handoverPageMs, () => fail(false)),
      (error: unknown) => fail(toLatchkeyError(error, 'error', '').code === 'device_not_bound'),
    )
  }, [handover, handle])
  return <AuthorizeView step={step} onAgain={screen.resolve} />
}

export type AuthorizeViewProps = { step: Step; onAgain: () => void }

export function AuthorizeView({ step, onAgain }: AuthorizeViewProps) {
  const { going, failed, alone } = useTexts(texts)
  const { name } = useAtomValue(brandingAtom)
  switch (step.status) {
    case 'leaving':
      return (
        <Waiting title={going.title} detail={going.detail}>
          <WalletFace />
        </Waiting>
      )
    case 'failed':
      return (
        <Failure
          title={failed.title}
          detail={step.isLate ? failed.late : failed.detail}
          button={failed.again}
          onPress={onAgain}
        />
      )
    case 'alone':
      return <Brand title={alone.title} lead={alone.detail({ app: name })} />
    default:
      return step satisfies never
  }
}
