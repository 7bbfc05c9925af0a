import type { NoEvents, PartProps } from '../../core/screen.ts'
import { useTexts } from '../../i18n/context.tsx'
import { Success } from '../../ui/success.tsx'
import { texts } from './texts.ts'

export type CreatedState = { readonly title: 'Welcome' | 'All set!' }

const titleKeys = { Welcome: 'welcome', 'All set!': 'allSet' } as const satisfies Record<
  CreatedState['title'],
  string
>

export function CreatedScreen({ state }: PartProps<CreatedState, NoEvents>) {
  const { created } = useTexts(texts)
  return <Success title={created[titleKeys[state.title]]} detail={created.detail} />
}
