/** What compiled texts call: numbers and plurals as the language writes them. */

export const number = (language: string, value: number): string =>
  new Intl.NumberFormat(language).format(value)

type PluralForms = Readonly<Record<string, string>> & { other: string }

/** A form for exactly this number (`=0`) wins over the form of its kind. */
export const plural = (language: string, count: number, forms: PluralForms): string =>
  forms[`=${count}`] ?? forms[new Intl.PluralRules(language).select(count)] ?? forms.other

export const select = (value: string, forms: PluralForms): string =>
  Object.hasOwn(forms, value) ? (forms[value] ?? forms.other) : forms.other

type Text = string | ((values: never) => string)

/** One text of several of which some are given something and some are not. */
export const formatText = <T extends Text>(text: T, values: ValuesOf<T>): string =>
  typeof text === 'string' ? text : (text as (given: ValuesOf<T>) => string)(values)

type ValuesOf<T> = UnionToIntersection<T extends (values: infer Values) => string ? Values : never>
type UnionToIntersection<U> = (U extends unknown ? (one: U) => void : never) extends (all: infer All) => void
  ? All
  : never
