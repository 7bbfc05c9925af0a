/**
 * What this server counts and measures, each instrument declared once, beside the code that counts:
 *
 *     export const logins = counter({
 *       name: `${product.key}.logins`,
 *       unit: '{login}',
 *       description: 'Logins, and tries of them, by method and outcome',
 *       attributes: ['method', 'outcome'],
 *     })
 *     logins.add({ method: 'email', outcome: 'success' })
 *
 * Until `openInstruments` was called, which `start/telemetry/` does where an operator asks for metrics, an instrument
 * does nothing and nothing of OpenTelemetry is loaded: this file imports its types alone.
 *
 * An attribute becomes a label. Its values are few and known to the operator: no user, no address, no number, no IP, no
 * id, and nothing that a caller can choose.
 */
import type { Attributes, Meter, ObservableResult } from '@opentelemetry/api'

type Declaration<Name extends string> = {
  /** A name of the semantic conventions, or one of ours, which begins with the key of the product. */
  name: string
  /** UCUM: `s`, `By`, `1`; what is counted stands in braces. */
  unit: string
  description: string
  /** The attributes that a value may have, and no others. */
  attributes: readonly Name[]
}
type Bounded<Name extends string> = Declaration<Name> & {
  /** The upper limits of the buckets, in the unit. */
  buckets: readonly number[]
}

/** What is undefined is left out. */
export type Values<Name extends string> = { [name in Name]?: string | number | undefined }

export type Kind = 'counter' | 'up-down counter' | 'histogram' | 'gauge'
export type Declared = Declaration<string> & { kind: Kind }

type Instrument = {
  declared: Declared
  open: (meter: Meter) => void
  close: () => void
}

const instruments = new Map<string, Instrument>()
let opened: Meter | undefined

function declare(instrument: Instrument): void {
  const { name } = instrument.declared
  if (instruments.has(name)) throw new Error(`Two instruments are called ${name}`)
  instruments.set(name, instrument)
  // A module that is loaded later counts from then on.
  if (opened) instrument.open(opened)
}

export const declaredInstruments = (): readonly Declared[] =>
  [...instruments.values()].map(({ declared }) => declared)

/** Everything counts to this meter from here on. The answer ends that. */
export function openInstruments(meter: Meter): () => void {
  opened = meter
  for (const { open } of instruments.values()) open(meter)
  return () => {
    if (opened !== meter) return
    opened = undefined
    for (const { close } of instruments.values()) close()
  }
}

/** Whether anybody reads what is counted. */
export const isCounting = (): boolean => opened !== undefined

function present(values: Values<string>): Attributes {
  const attributes: Attributes = {}
  for (const name in values) {
    const value = values[name]
    if (value !== undefined) attributes[name] = value
  }
  return attributes
}

const optionsOf = ({ unit, description }: Declaration<string>) => ({ unit, description })

export function counter<const Name extends string>(declaration: Declaration<Name>) {
  let own: { add: (value: number, attributes: Attributes) => void } | undefined
  declare({
    declared: { ...declaration, kind: 'counter' },
    open: (meter) => {
      own = meter.createCounter(declaration.name, optionsOf(declaration))
    },
    close: () => {
      own = undefined
    },
  })
  return { add: (values: Values<Name>, count = 1): void => own?.add(count, present(values)) }
}

export function upDownCounter<const Name extends string>(declaration: Declaration<Name>) {
  let own: { add: (value: number, attributes: Attributes) => void } | undefined
  declare({
    declared: { ...declaration, kind: 'up-down counter' },
    open: (meter) => {
      own = meter.createUpDownCounter(declaration.name, optionsOf(declaration))
    },
    close: () => {
      own = undefined
    },
  })
  return { add: (values: Values<Name>, change: number): void => own?.add(change, present(values)) }
}

export function histogram<const Name extends string>({ buckets, ...declaration }: Bounded<Name>) {
  let own: { record: (value: number, attributes: Attributes) => void } | undefined
  declare({
    declared: { ...declaration, kind: 'histogram' },
    open: (meter) => {
      own = meter.createHistogram(declaration.name, {
        ...optionsOf(declaration),
        advice: { explicitBucketBoundaries: [...buckets] },
      })
    },
    close: () => {
      own = undefined
    },
  })
  return { record: (value: number, values: Values<Name>): void => own?.record(value, present(values)) }
}

type Observed<Name extends string> = { value: number } & { values: Values<Name> }
/** What there is at this moment; a failure leaves the values out. */
export type Observation<Name extends string> = () =>
  | readonly Observed<Name>[]
  | Promise<readonly Observed<Name>[]>

/** A value that is read when somebody asks for it. Any number of observers add theirs. */
function observable<const Name extends string>(
  declaration: Declaration<Name>,
  kind: 'gauge' | 'up-down counter' | 'counter',
) {
  const observers = new Set<Observation<Name>>()
  const report = async (result: ObservableResult) => {
    for (const observe of observers) {
      for (const { value, values } of await observe()) result.observe(value, present(values))
    }
  }
  let stop = () => {}
  const created = {
    gauge: (meter: Meter) => meter.createObservableGauge(declaration.name, optionsOf(declaration)),
    'up-down counter': (meter: Meter) =>
      meter.createObservableUpDownCounter(declaration.name, optionsOf(declaration)),
    counter: (meter: Meter) => meter.createObservableCounter(declaration.name, optionsOf(declaration)),
  }
  declare({
    declared: { ...declaration, kind },
    open: (meter) => {
      const own = created[kind](meter)
      own.addCallback(report)
      stop = () => own.removeCallback(report)
    },
    close: () => stop(),
  })
  return {
    /** The answer ends it. */
    observe(observe: Observation<Name>): () => void {
      observers.add(observe)
      return () => observers.delete(observe)
    },
  }
}

export const gauge = <const Name extends string>(declaration: Declaration<Name>) =>
  observable(declaration, 'gauge')
/** A sum of parts, such as the connections of all pools. */
export const observedSum = <const Name extends string>(declaration: Declaration<Name>) =>
  observable(declaration, 'up-down counter')
/** A total that somebody else counts, such as the time of the processor. */
export const observedTotal = <const Name extends string>(declaration: Declaration<Name>) =>
  observable(declaration, 'counter')

/** The buckets that the conventions advise for calls, in seconds. */
export const callBuckets = [
  0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10,
] as const
/** And those for a database. */
export const databaseBuckets = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10] as const
