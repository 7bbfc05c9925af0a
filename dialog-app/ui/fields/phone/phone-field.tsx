import { dialogLimits } from '@latchkey/protocol'
import type { CountryCode } from 'libphonenumber-js/min'
import { type ComponentType, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'react'
import base from '../../base.module.css'
import { classNames } from '../../class-names.ts'
import { useLate } from '../../feedback/late.ts'
import { Spinner } from '../../feedback/spinner.tsx'
import { Icon } from '../../icon.tsx'
import field from '../field.module.css'
import type { CountryListProps } from './lazy/country-list.tsx'
import styles from './phone-field.module.css'
import { countries, countryOf, emptyPhone, type PhoneValue, typed, withCountry } from './phone-value.ts'

type PhoneFieldTexts = {
  label: string
  country: string
  searchCountry: string
  noCountry: string
  placeholder: string
  submit: string
  sending: string
  /** What is wrong with a number that is none. */
  problem: string
}
type PhoneFieldProps = {
  texts: PhoneFieldTexts
  /** The language that countries are named in. */
  language: string
  country: CountryCode
  initial?: PhoneValue | undefined
  busy: boolean
  /** The user asked for this field just now. */
  focused?: boolean
  onSubmit: (value: PhoneValue) => void
}

/** A country, a number that is formatted while it is typed, and the button that sends it. */
export function PhoneField(props: PhoneFieldProps) {
  const { texts, language, country, initial, busy, focused = false } = props
  const [value, setValue] = useState(() => initial ?? emptyPhone(country))
  const [isRefused, setRefused] = useState(false)
  const problemId = useId()
  const { list, complete } = useCountries(language, value.countryCode)
  const input = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => {
    if (focused) input.current?.focus()
  }, [focused])
  const form = useRef<HTMLFormElement>(null)
  const select = useRef<HTMLSelectElement>(null)
  const CountryList = useCountryList(select)
  const showsProgress = useLate(busy)

  const change = (next: PhoneValue | undefined) => {
    if (!next) return
    setValue(next)
    setRefused(false)
  }
  const chosen = list.find(({ code }) => code === value.countryCode) ?? countryOf(value.countryCode, language)

  return (
    <div>
      <form
        ref={form}
        className={classNames(field.field, styles.field)}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (value.isValid && !busy) props.onSubmit(value)
        }}
      >
        {CountryList ? (
          <CountryList
            texts={texts}
            language={language}
            countries={list}
            chosen={chosen}
            disabled={busy}
            anchor={form}
            next={input}
            onWanted={complete}
            onChoose={(code) => change(withCountry(value, code))}
          />
        ) : (
          <span className={styles.country} dir="ltr">
            <span aria-hidden="true">+{chosen.callingCode}</span>
            <Icon name="expand" size={16} />
            <select
              ref={select}
              aria-label={texts.country}
              value={value.countryCode}
              disabled={busy}
              onFocus={complete}
              onPointerDown={complete}
              onChange={(event) => {
                const code = list.find((one) => one.code === event.currentTarget.value)?.code
                // The focus stays: with the keys a country is passed on the way to the next.
                change(code && withCountry(value, code))
              }}
            >
              {list.map(({ code, callingCode, name }) => (
                <option key={code} value={code}>
                  {`${name} (+${callingCode})`}
                </option>
              ))}
            </select>
          </span>
        )}
        <input
          className={field.input}
          type="tel"
          name="tel"
          inputMode="tel"
          autoComplete="tel"
          enterKeyHint="go"
          dir={value.rawPhoneNumber === '' ? undefined : 'ltr'}
          ref={input}
          // The country is right for most; a screen begins with the number.
          data-first-field
          aria-label={texts.label}
          placeholder={texts.placeholder}
          value={value.rawPhoneNumber}
          readOnly={busy}
          aria-invalid={isRefused}
          aria-describedby={isRefused ? problemId : undefined}
          onChange={(event) => change(typed(value, event.currentTarget.value))}
          // A form whose button is disabled is not submitted by Enter, and says nothing of it.
          onKeyDown={({ key }) => key === 'Enter' && !value.isValid && setRefused(true)}
        />
        <button
          type="submit"
          className={classNames(base.control, field.submit)}
          disabled={!value.isValid}
          aria-disabled={busy || undefined}
          aria-busy={busy || undefined}
          aria-label={showsProgress ? texts.sending : texts.submit}
        >
          {showsProgress ? <Spinner /> : <Icon name="arrow" />}
        </button>
      </form>
      {isRefused && (
        <p className={field.problem} id={problemId} role="alert">
          {texts.problem}
        </p>
      )}
    </div>
  )
}

/**
 * The chosen country alone until there is time for all, or until they are wanted: to name, to sort and to draw 245 of
 * them would keep the whole card waiting.
 */
function useCountries(language: string, chosen: CountryCode) {
  const [isComplete, setComplete] = useState(false)
  const complete = () => setComplete(true)
  useEffect(() => {
    // Safari has no idle callback.
    const later = setTimeout(() => setComplete(true), dialogLimits.countriesAfterMs)
    return () => clearTimeout(later)
  }, [])
  const all = useMemo(() => (isComplete ? countries(language) : undefined), [isComplete, language])
  return { list: all ?? [countryOf(chosen, language)], complete }
}

/** A mouse is not held against a browser's own list; a touch screen has a good one. */
const finePointer = '(hover: hover) and (pointer: fine)'

/** The list with a search, once it has come; until then, and where it does not come, the browser's own. */
function useCountryList(select: { current: Element | null }) {
  const [list, setList] = useState<{ Component: ComponentType<CountryListProps> }>()
  useEffect(() => {
    if (!matchMedia(finePointer).matches) return
    let current = true
    import('./lazy/country-list.tsx')
      .then(({ CountryList }) => {
        // Nothing is taken from under somebody's keys.
        if (current && document.activeElement !== select.current) setList({ Component: CountryList })
      })
      .catch(() => {})
    return () => {
      current = false
    }
  }, [select])
  return list?.Component
}
