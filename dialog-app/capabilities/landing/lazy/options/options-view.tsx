import { Fragment } from 'react'
import type { OfferedMethod } from '../../../../contract/login.ts'
import type { PartProps, ShownPart } from '../../../../flow/screen.ts'
import { useTexts } from '../../../../i18n/context.tsx'
import { useBranding } from '../../../../shell/branding.ts'
import { ShownPartView } from '../../../../shell/shown-part.tsx'
import { Group, MarkContext, OptionList, OptionRow } from '../../../../ui/group.tsx'
import { RowIcon } from '../../../../ui/row-icon.tsx'
import { Stack } from '../../../../ui/stack.tsx'
import { Title } from '../../../../ui/title.tsx'
import type { Item, Overflow } from './layout.ts'
import styles from './options.module.css'
import { texts } from './texts.arb'

export type ShownOption =
  | {
      readonly key: string
      readonly part: ShownPart
      readonly shows: OfferedMethod['shows']
      readonly isLastUsed: boolean
    }
  | Extract<Item, { readonly kind: 'opener' }>

export type OptionsState = {
  readonly options: readonly ShownOption[]
  /** What it leads to is on its way. */
  readonly opening?: Overflow | undefined
}
export type OptionsEvents = { readonly open: readonly [opens: Overflow] }

/** The choices of one view, in its own room. */
export function Options({ state, send }: PartProps<OptionsState, OptionsEvents>) {
  const { openers, lastUsed } = useTexts(texts)
  const { showsDirectInputs } = useBranding()
  return (
    <OptionList>
      {state.options.map((option) => {
        if (!('part' in option)) {
          const isWallet = option.opens === 'web3-overflow'
          return (
            <Group key={option.opens}>
              <OptionRow
                {...(isWallet && { icon: <RowIcon name="wallet" /> })}
                label={openers[option.says]}
                end={{ kind: 'more' }}
                busy={state.opening === option.opens}
                onPress={() => send('open', option.opens)}
              />
            </Group>
          )
        }
        const { key, part, shows, isLastUsed } = option
        const isField = shows === 'field' && showsDirectInputs
        return (
          <Fragment key={key}>
            {isLastUsed && isField && <p className={styles.lastUsed}>{lastUsed}</p>}
            <MarkContext value={isLastUsed ? lastUsed : undefined}>
              <ShownPartView part={part} />
            </MarkContext>
          </Fragment>
        )
      })}
    </OptionList>
  )
}

export type ViewState = OptionsState & { readonly view: Overflow }

export function OverflowView({ state, send }: PartProps<ViewState, OptionsEvents>) {
  const { titles } = useTexts(texts)
  return (
    <Stack>
      <Title>{titles[state.view]}</Title>
      <Options state={state} send={send} />
    </Stack>
  )
}
