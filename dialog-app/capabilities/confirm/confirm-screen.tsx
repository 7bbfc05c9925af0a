import type { PartProps } from '../../flow/screen.ts'
import { useTexts } from '../../i18n/context.tsx'
import { Failure } from '../../ui/feedback/failure.tsx'
import { texts } from './texts.arb'

export type ConfirmState = Readonly<Record<never, never>>
export type ConfirmEvents = { leave: readonly [] }

/** A browser inside of an app opens no page, so nothing is confirmed here. */
export function ConfirmScreen({ send }: PartProps<ConfirmState, ConfirmEvents>) {
  const { title, detail, leave } = useTexts(texts)
  return <Failure title={title} detail={detail} button={leave} onPress={() => send('leave')} />
}
