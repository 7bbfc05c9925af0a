import type { ScreenProps } from '../../app/screen.ts'
import { useTexts } from '../../i18n/context.tsx'
import { Failure } from '../../ui/feedback/failure.tsx'
import { texts } from './texts.arb'

export const ConfirmScreen = ({ screen }: ScreenProps<never>) => <ConfirmView onLeave={screen.leave} />

/** The browser inside of an app opens no page, so nothing can be confirmed here. */
export function ConfirmView({ onLeave }: { onLeave: () => void }) {
  const { title, detail, leave } = useTexts(texts)
  return <Failure title={title} detail={detail} button={leave} onPress={onLeave} />
}
