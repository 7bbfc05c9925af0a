import { useAtomValue } from 'jotai/react'
import type { NoEvents, PartProps, ShownPart } from '../../flow/screen.ts'
import { useTexts } from '../../i18n/context.tsx'
import { brandingAtom } from '../../shell/atoms.ts'
import { Brand } from '../../shell/elements/brand.tsx'
import { ShownPartView } from '../../shell/elements/shown-part.tsx'
import { Stack } from '../../ui/stack.tsx'
import { type Texts as LandingTexts, texts } from './texts.arb'

export type LandingState = {
  /** One for each method that is offered and has come, in the order in which they are offered. */
  entries: readonly ShownPart[]
  /** Shows them where they are more than fields, and what leads to those that may still come. */
  options?: ShownPart | undefined
}

export function LandingScreen({ state }: PartProps<LandingState, NoEvents>) {
  const { title, logIn, ...words } = useTexts(texts)
  const { name } = useAtomValue(brandingAtom)
  return <Entrance state={state} words={{ ...words, title: name === '' ? title : logIn({ app: name }) }} />
}

type EntranceProps = {
  state: LandingState
  /** What it says where the host has no words of its own. */
  words: Pick<LandingTexts, 'title' | 'noMethod'> & { lead?: string }
}

export function Entrance({ state, words }: EntranceProps) {
  const { landingHeader = words.title, loginMessage = words.lead } = useAtomValue(brandingAtom)
  const own = { ...words, title: landingHeader, ...(loginMessage !== undefined && { lead: loginMessage }) }
  return <OwnWords state={state} words={own} />
}

/** A host has no words for this. */
export function OwnWords({ state, words: { title, noMethod, lead } }: EntranceProps) {
  const parts = state.options ? [state.options] : state.entries
  return (
    <Stack>
      <Brand title={title} lead={parts.length === 0 ? noMethod : lead} />
      {parts.map((part, position) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the methods of one login and their order do not change
        <ShownPartView key={position} part={part} />
      ))}
    </Stack>
  )
}
