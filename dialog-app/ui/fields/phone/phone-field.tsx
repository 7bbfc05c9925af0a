import { dialogLimits } from '@latchkey/protocol'
import type { CountryCode } from 'libphonenumber-js/min'
import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'react'
import base from '../../base.module.css'
import { classNames } from '../../class-names.ts'
import { Icon } from '../../icon.tsx'
import { useLate } from '../../late.ts'
import { Spinner } from '../../spinner.tsx'
import field from '../field.module.css'
import styles from './phone-field.module.css'
import { countries, countryOf, emptyPhone, type PhoneValue, typed, withCountry } from './phone-value.ts'

type PhoneFieldTexts = {
  readonly label: string
  readonly country: string
  readonly placeholder: string
  readonly submit: string
  readonly sending: string
  /** What is wrong with a number that is none. */
  readonly problem: string
}
type PhoneFieldProps = {
  readonly texts: PhoneFieldTexts
  /** The language that countries are named in. */
  readonly language: string
  readonly country: CountryCode
  readonly initial?: PhoneValue | undefined
  readonly busy: boolean
  /** The user asked for this field just now. */
  readonly focused?: boolean
  readonly onSubmit: (value: PhoneValue) => void
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
  const showsProgress = useLate(busy)

  const change = (next: PhoneValue | undefined) => {
    if (!next) return
    setValue(next)
    setRefused(false)
  }
  const chosen = list.find(({ code }) => code === value.countryCode)

  return (
    <div>
      <form
        className={classNames(field.field, styles.field)}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (value.isValid && !busy) props.onSubmit(value)
        }}
      >
        <span className={styles.country} dir="ltr">
          <span aria-hidden="true">+{chosen?.callingCode}</span>
          <Icon name="expand" size={16} />
          <select
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
        <input
          className={field.input}
          type="tel"
          name="tel"
          inputMode="tel"
          autoComplete="tel"
          enterKeyHint="go"
          dir={value.rawPhoneNumber === '' ? undefined : 'ltr'}
          ref={input}
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
