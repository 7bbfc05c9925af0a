import { useAtomValue } from 'jotai/react'
import { Fragment } from 'react'
import type { OfferedMethod } from '../../../../contract/login.ts'
import type { PartProps, ShownPart } from '../../../../flow/screen.ts'
import { useTexts } from '../../../../i18n/context.tsx'
import { brandingAtom } from '../../../../shell/atoms.ts'
import { ShownPartView } from '../../../../shell/elements/shown-part.tsx'
import { Group, MarkContext, OptionList, OptionRow, Run } from '../../../../ui/group.tsx'
import { RowIcon } from '../../../../ui/row-icon.tsx'
import { Stack } from '../../../../ui/stack.tsx'
import { Title } from '../../../../ui/title.tsx'
import type { Item, Overflow } from './layout.ts'
import styles from './options.module.css'
import { texts } from './texts.arb'

export type ShownOption =
  | {
      key: string
      part: ShownPart
      shows: OfferedMethod['shows']
      isLastUsed: boolean
    }
  | (Extract<Item, { kind: 'opener' }> & { isLastUsed: boolean })

export type OptionsState = {
  options: readonly ShownOption[]
  /** What it leads to is on its way. */
  opening?: Overflow | undefined
  /** The host ordered the methods, so that the order alone tells them apart. */
  isOneGroup?: boolean
}
export type OptionsEvents = { open: readonly [opens: Overflow] }

/** The choices of one view, in its own room: those of a kind that follow each other are a group. */
export function Options({ state, send }: PartProps<OptionsState, OptionsEvents>) {
  const { lastUsed } = useTexts(texts)
  const { showsDirectInputs } = useAtomValue(brandingAtom)
  const kindOf = (option: ShownOption) => {
    const kind = 'part' in option ? option.shows : kinds[option.opens]
    return kind === 'field' ? (showsDirectInputs ? 'field' : 'row') : state.isOneGroup ? 'row' : kind
  }
  return (
    <OptionList>
      {runsOf(state.options, kindOf).map(({ kind, run }) => {
        const rows = run.map((option) => (
          <Fragment key={keyOf(option)}>
            {option.isLastUsed && kind === 'field' && <p className={styles.lastUsed}>{lastUsed}</p>}
            <MarkContext value={option.isLastUsed ? lastUsed : undefined}>
              {'part' in option ? (
                <ShownPartView part={option.part} />
              ) : (
                <Opener
                  {...option}
                  busy={state.opening === option.opens}
                  onPress={() => send('open', option.opens)}
                />
              )}
            </MarkContext>
          </Fragment>
        ))
        const key = run.map(keyOf).join(' ')
        return kind === 'field' ? <Fragment key={key}>{rows}</Fragment> : <Run key={key}>{rows}</Run>
      })}
    </OptionList>
  )
}

const keyOf = (option: ShownOption) => ('part' in option ? option.key : option.opens)

/** What a button leads to it stands beside. */
const kinds = { more: 'row', 'web2-overflow': 'row', 'web3-overflow': 'wallets' } as const

type Kind = OfferedMethod['shows']
/** Options of a kind that follow each other. */
function runsOf(options: readonly ShownOption[], kindOf: (option: ShownOption) => Kind) {
  const runs: { kind: Kind; run: ShownOption[] }[] = []
  for (const option of options) {
    const kind = kindOf(option)
    const last = runs.at(-1)
    if (last?.kind === kind) last.run.push(option)
    else runs.push({ kind, run: [option] })
  }
  return runs
}

type OpenerProps = Extract<Item, { kind: 'opener' }> & {
  busy: boolean
  onPress: () => void
}

function Opener({ opens, says, busy, onPress }: OpenerProps) {
  const { openers } = useTexts(texts)
  return (
    <Group>
      <OptionRow
        icon={<RowIcon name={opens === 'web3-overflow' ? 'wallet' : 'more'} />}
        label={openers[says]}
        end={{ kind: 'more' }}
        busy={busy}
        onPress={onPress}
      />
    </Group>
  )
}

export type ViewState = OptionsState & { view: Overflow }

export function OverflowView({ state, send }: PartProps<ViewState, OptionsEvents>) {
  const { titles } = useTexts(texts)
  return (
    <Stack>
      <Title>{titles[state.view]}</Title>
      <Options state={state} send={send} />
    </Stack>
  )
}
