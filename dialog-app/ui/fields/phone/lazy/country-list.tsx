import { Combobox } from '@base-ui/react/combobox'
import type { CountryCode } from 'libphonenumber-js/min'
import { type RefObject, useRef } from 'react'
import base from '../../../base.module.css'
import { useCard } from '../../../card.ts'
import { classNames } from '../../../class-names.ts'
import { Icon } from '../../../icon.tsx'
import { toPlainDigits } from '../../code-entry.ts'
import field from '../phone-field.module.css'
import type { Country } from '../phone-value.ts'
import styles from './country-list.module.css'

export type CountryListProps = {
  texts: { country: string; searchCountry: string; noCountry: string }
  language: string
  countries: readonly Country[]
  chosen: Country
  disabled: boolean
  /** The element that the list opens below, with its width. */
  anchor: RefObject<HTMLElement | null>
  /** The element to focus after a choice. */
  next: RefObject<HTMLElement | null>
  onOpen: () => void
  onChoose: (code: CountryCode) => void
}

/** A searchable country list for desktop browsers. Their native lists match first letters only. */
export function CountryList(props: CountryListProps) {
  const { texts, language, countries, chosen, disabled, anchor, next, onOpen: onWanted, onChoose } = props
  const { element } = useCard()
  const hasChosen = useRef(false)
  const { contains } = Combobox.useFilter({ locale: language })
  return (
    <Combobox.Root<Country>
      items={countries}
      value={chosen}
      isItemEqualToValue={(one, other) => one.code === other.code}
      itemToStringLabel={({ name }) => name}
      filter={(country, query) => contains(country.name, query.trim()) || hasCallingCode(country, query)}
      autoHighlight
      disabled={disabled}
      onOpenChange={(opens) => {
        if (opens) {
          hasChosen.current = false
          onWanted()
        }
      }}
      onValueChange={(country) => {
        if (!country) return
        hasChosen.current = true
        onChoose(country.code)
      }}
    >
      <Combobox.Trigger
        className={classNames(base.control, field.country)}
        aria-label={texts.country}
        onFocus={onWanted}
        onPointerEnter={onWanted}
      >
        <span dir="ltr">
          <span className={base.unseen}>{chosen.name} </span>+{chosen.callingCode}
        </span>
        <Icon name="expand" size={16} />
      </Combobox.Trigger>
      <Combobox.Portal container={element() as HTMLElement | null}>
        <Combobox.Positioner className={styles.place} anchor={anchor} align="start" sideOffset={6}>
          <Combobox.Popup
            className={styles.popup}
            aria-label={texts.country}
            finalFocus={() => (hasChosen.current ? next.current : true)}
            // Escape closes the list only, not the card.
            onKeyDown={(event) => event.key === 'Escape' && event.preventDefault()}
          >
            <Combobox.Input
              className={styles.search}
              aria-label={texts.searchCountry}
              placeholder={texts.searchCountry}
              autoComplete="off"
              spellCheck={false}
            />
            <Combobox.Empty className={styles.none}>{texts.noCountry}</Combobox.Empty>
            <Combobox.List className={styles.list}>
              {(country: Country) => (
                <Combobox.Item key={country.code} value={country} className={styles.item}>
                  <span>{country.name}</span>
                  <span className={styles.code} dir="ltr">
                    +{country.callingCode}
                  </span>
                </Combobox.Item>
              )}
            </Combobox.List>
          </Combobox.Popup>
        </Combobox.Positioner>
      </Combobox.Portal>
    </Combobox.Root>
  )
}

/** Matches any part of a calling code, or its beginning if the query starts with '+'. */
function hasCallingCode({ callingCode }: Country, query: string): boolean {
  const [, plus, digits] = /^(\+?)(\d+)$/.exec(toPlainDigits(query).replaceAll(/[\s()-]/g, '')) ?? []
  if (digits === undefined) return false
  return plus === '+' ? callingCode.startsWith(digits) : callingCode.includes(digits)
}
