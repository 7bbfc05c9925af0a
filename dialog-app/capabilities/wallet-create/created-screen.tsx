import type { NoEvents, PartProps } from '../../flow/screen.ts'
import { useTexts } from '../../i18n/context.tsx'
import { Success } from '../../ui/feedback/success.tsx'
import { texts } from './texts.arb'

export type CreatedState = {
  readonly title: 'welcome' | 'allSet'
  /** What its user chose here is not in force: the wallet was there before. */
  readonly isKeptOtherwise?: true
}

export function CreatedScreen({ state }: PartProps<CreatedState, NoEvents>) {
  const { created } = useTexts(texts)
  const detail = state.isKeptOtherwise ? created.keptOtherwise : created.detail
  return <Success title={created[state.title]} detail={detail} />
}
