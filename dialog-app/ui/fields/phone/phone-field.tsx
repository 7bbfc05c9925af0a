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
import { countries, emptyPhone, getCountry, type PhoneValue, parseInput, withCountry } from './phone-value.ts'

type PhoneFieldTexts = {
  label: string
  country: string
  searchCountry: string
  noCountry: string
  placeholder: string
  submit: string
  sending: string
  /** The validation message. */
  problem: string
}
type PhoneFieldProps = {
  texts: PhoneFieldTexts
  /** The language of the country names. */
  language: string
  country: CountryCode
  initial?: PhoneValue | undefined
  busy: boolean
  /** The user opened this field by a press. */
  focused?: boolean
  onSubmit: (value: PhoneValue) => void
}

/** A phone field with country, formatted number and an inline submit button. */
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
  const selectedCountry =
    list.find(({ code }) => code === value.countryCode) ?? getCountry(value.countryCode, language)

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
            chosen={selectedCountry}
            disabled={busy}
            anchor={form}
            next={input}
            onOpen={complete}
            onChoose={(code) => change(withCountry(value, code))}
          />
        ) : (
          <span className={styles.country} dir="ltr">
            <span aria-hidden="true">+{selectedCountry.callingCode}</span>
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
                // The focus stays, because arrow keys pass countries on the way to another.
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
          // The preset country is right for most users, so the screen focuses the number.
          data-first-field
          aria-label={texts.label}
          placeholder={texts.placeholder}
          value={value.rawPhoneNumber}
          readOnly={busy}
          aria-invalid={isRefused}
          aria-describedby={isRefused ? problemId : undefined}
          onChange={(event) => change(parseInput(value, event.currentTarget.value))}
          // Enter does not submit a form with a disabled button, so the problem is shown here.
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
 * Lists only the chosen country at first, and all 245 when idle or on demand, because naming, sorting and rendering
 * them would delay the card.
 */
function useCountries(language: string, chosen: CountryCode) {
  const [isComplete, setComplete] = useState(false)
  const complete = () => setComplete(true)
  useEffect(() => {
    // Safari has no `requestIdleCallback`.
    const later = setTimeout(() => setComplete(true), dialogLimits.countriesAfterMs)
    return () => clearTimeout(later)
  }, [])
  const all = useMemo(() => (isComplete ? countries(language) : undefined), [isComplete, language])
  return { list: all ?? [getCountry(chosen, language)], complete }
}

/** Touch screens have good native lists. */
const finePointer = '(hover: hover) and (pointer: fine)'

/** Returns the searchable list once loaded. Until then, and if loading fails, the native list is used. */
function useCountryList(select: { current: Element | null }) {
  const [list, setList] = useState<{ Component: ComponentType<CountryListProps> }>()
  useEffect(() => {
    if (!matchMedia(finePointer).matches) return
    let current = true
    import('./lazy/country-list.tsx')
      .then(({ CountryList }) => {
        // Does not replace the list while the user operates it.
        if (current && document.activeElement !== select.current) setList({ Component: CountryList })
      })
      .catch(() => {})
    return () => {
      current = false
    }
  }, [select])
  return list?.Component
}
