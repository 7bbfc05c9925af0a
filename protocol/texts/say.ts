/** Run-time functions of compiled texts: localized numbers and plurals. */

export const number = (language: string, value: number): string =>
  new Intl.NumberFormat(language).format(value)

type PluralForms = Readonly<Record<string, string>> & { other: string }

/** An exact form (`=0`) takes precedence over the plural category. */
export const plural = (language: string, count: number, forms: PluralForms): string =>
  forms[`=${count}`] ?? forms[new Intl.PluralRules(language).select(count)] ?? forms.other

export const select = (value: string, forms: PluralForms): string =>
  Object.hasOwn(forms, value) ? (forms[value] ?? forms.other) : forms.other

type Text = string | ((values: never) => string)

/** Formats a text that may or may not have arguments. */
export const formatText = <T extends Text>(text: T, values: ValuesOf<T>): string =>
  typeof text === 'string' ? text : (text as (given: ValuesOf<T>) => string)(values)

type ValuesOf<T> = UnionToIntersection<T extends (values: infer Values) => string ? Values : never>
type UnionToIntersection<U> = (U extends unknown ? (one: U) => void : never) extends (all: infer All) => void
  ? All
  : never
