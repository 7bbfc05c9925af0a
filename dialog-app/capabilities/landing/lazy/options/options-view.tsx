import { useAtomValue } from 'jotai/react'
import { Fragment } from 'react'
import type { Changes } from '../../../../app/changes.ts'
import { useChanges } from '../../../../app/use-changes.ts'
import type { OfferedMethod } from '../../../../contract/login.ts'
import type { ShownElement } from '../../../../flow/screen.ts'
import { useTexts } from '../../../../i18n/context.tsx'
import { brandingAtom } from '../../../../shell/atoms.ts'
import { Group, MarkContext, OptionList, OptionRow, Run } from '../../../../ui/group.tsx'
import { RowIcon } from '../../../../ui/lazy/row-icon.tsx'
import { Stack } from '../../../../ui/stack.tsx'
import { Title } from '../../../../ui/title.tsx'
import type { Item, Layout, Overflow } from './layout.ts'
import styles from './options.module.css'
import { texts } from './texts.arb'

export type ShownOption =
  | {
      key: string
      part: ShownElement
      shows: OfferedMethod['shows']
      isLastUsed: boolean
    }
  | (Extract<Item, { kind: 'opener' }> & { isLastUsed: boolean })

/** The options of LANDING and of its overflow views. */
export type OptionsModel = Pick<Changes, 'subscribe' | 'version'> & {
  optionsOf: (view: keyof Layout) => readonly ShownOption[]
  /** The overflow view that is loading. */
  opening: () => Overflow | undefined
  open: (opens: Overflow) => void
  /** The host ordered the methods, so the order alone separates them. */
  isOneGroup: boolean
}

export type OptionsProps = { model: OptionsModel; view: keyof Layout }

/** The options of one view. Consecutive options of a kind form a group. */
export function Options({ model, view }: OptionsProps) {
  const { lastUsed } = useTexts(texts)
  const { showsDirectInputs } = useAtomValue(brandingAtom)
  useChanges(model)
  const getKind = (option: ShownOption) => {
    const kind = 'part' in option ? option.shows : kinds[option.opens]
    return kind === 'field' ? (showsDirectInputs ? 'field' : 'row') : model.isOneGroup ? 'row' : kind
  }
  return (
    <OptionList>
      {groupByKind(model.optionsOf(view), getKind).map(({ key, kind, run }) => {
        const rows = run.map((option) => (
          <Fragment key={getKey(option)}>
            {option.isLastUsed && kind === 'field' && <p className={styles.lastUsed}>{lastUsed}</p>}
            <MarkContext value={option.isLastUsed ? lastUsed : undefined}>
              {'part' in option ? (
                option.part.element
              ) : (
                <Opener
                  {...option}
                  busy={model.opening() === option.opens}
                  onPress={() => model.open(option.opens)}
                />
              )}
            </MarkContext>
          </Fragment>
        ))
        return kind === 'field' ? <Fragment key={key}>{rows}</Fragment> : <Run key={key}>{rows}</Run>
      })}
    </OptionList>
  )
}

const getKey = (option: ShownOption) => ('part' in option ? option.key : option.opens)

/** An opener belongs to the group of the options that it opens. */
const kinds = { more: 'row', 'web2-overflow': 'row', 'web3-overflow': 'wallets' } as const

type Kind = OfferedMethod['shows']
/** Returns the runs of consecutive options of a kind. A run keeps its key when rows are added to it. */
function groupByKind(options: readonly ShownOption[], getKind: (option: ShownOption) => Kind) {
  const runs: { key: string; kind: Kind; run: ShownOption[] }[] = []
  for (const option of options) {
    const kind = getKind(option)
    const last = runs.at(-1)
    if (last?.kind === kind) last.run.push(option)
    else {
      const position = runs.filter((each) => each.kind === kind).length
      runs.push({ key: `${kind} ${position}`, kind, run: [option] })
    }
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

export type OverflowProps = { model: OptionsModel; view: Overflow }

export function OverflowScreen({ model, view }: OverflowProps) {
  const { titles } = useTexts(texts)
  return (
    <Stack>
      <Title>{titles[view]}</Title>
      <Options model={model} view={view} />
    </Stack>
  )
}
