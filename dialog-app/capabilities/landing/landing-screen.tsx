import { useAtomValue } from 'jotai/react'
import { Fragment } from 'react'
import { useChanges } from '../../app/use-changes.ts'
import type { ShownMethods } from '../../contract/login.ts'
import { useTexts } from '../../i18n/context.tsx'
import { brandingAtom } from '../../shell/atoms.ts'
import { Brand } from '../../shell/elements/brand.tsx'
import { Stack } from '../../ui/stack.tsx'
import { type Texts as LandingTexts, texts } from './texts.arb'

export type LandingProps = { methods: ShownMethods }

export function LandingScreen({ methods }: LandingProps) {
  const { title, logIn, ...words } = useTexts(texts)
  const { name } = useAtomValue(brandingAtom)
  return (
    <Entrance methods={methods} words={{ ...words, title: name === '' ? title : logIn({ app: name }) }} />
  )
}

type EntranceProps = LandingProps & {
  words: Pick<LandingTexts, 'title' | 'noMethod'> & { lead?: string }
}

/** The words of the host replace these ones. */
export function Entrance({ methods, words }: EntranceProps) {
  const { landingHeader = words.title, loginMessage = words.lead } = useAtomValue(brandingAtom)
  const own = { ...words, title: landingHeader, ...(loginMessage !== undefined && { lead: loginMessage }) }
  return <OwnWords methods={methods} words={own} />
}

/** A host cannot replace these words. */
export function OwnWords({ methods, words: { title, noMethod, lead } }: EntranceProps) {
  useChanges(methods)
  const entries = methods.entries()
  return (
    <Stack>
      <Brand title={title} lead={entries.length === 0 ? noMethod : lead} />
      {entries.map(({ element }, position) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the methods of one login and their order do not change
        <Fragment key={position}>{element}</Fragment>
      ))}
    </Stack>
  )
}
