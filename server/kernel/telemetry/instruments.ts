/**
 * Metrics. Each instrument is declared once, next to the code that uses it:
 *
 *     export const logins = counter({
 *       name: `${product.key}.logins`,
 *       unit: '{login}',
 *       description: 'Logins, and tries of them, by method and outcome',
 *       attributes: ['method', 'outcome'],
 *     })
 *     logins.add({ method: 'email', outcome: 'success' })
 *
 * Instruments are no-ops until `start/telemetry/` calls `openInstruments`. OpenTelemetry is loaded only then: this file
 * imports nothing but its types.
 *
 * Attributes become labels. Their values must be few and known to the operator: no users, addresses, numbers, IPs or
 * ids, and nothing that a caller can choose.
 */
import type { Attributes, Meter, ObservableResult } from '@opentelemetry/api'

type Declaration<Name extends string> = {
  /** A name of the semantic conventions, or our own name, which starts with the product key. */
  name: string
  /** UCUM: `s`, `By`, `1`; counted things in braces. */
  unit: string
  description: string
  /** The permitted attributes. */
  attributes: readonly Name[]
}
type Bounded<Name extends string> = Declaration<Name> & {
  /** The upper bounds of the buckets, in the unit. */
  buckets: readonly number[]
}

/** Undefined values are omitted. */
export type Values<Name extends string> = { [name in Name]?: string | number | undefined }

export type Kind = 'counter' | 'up-down counter' | 'histogram' | 'gauge'
export type Declared = Declaration<string> & { kind: Kind }

type Instrument = {
  declared: Declared
  open: (meter: Meter) => void
  close: () => void
}

const instruments = new Map<string, Instrument>()
let activeMeter: Meter | undefined

function declare(instrument: Instrument): void {
  const { name } = instrument.declared
  if (instruments.has(name)) throw new Error(`The instrument ${name} is declared twice`)
  instruments.set(name, instrument)
  // A module that is loaded later starts to count from then on.
  if (activeMeter) instrument.open(activeMeter)
}

export const declaredInstruments = (): readonly Declared[] =>
  [...instruments.values()].map(({ declared }) => declared)

/** Connects all instruments to the meter. Returns a function that disconnects them. */
export function openInstruments(meter: Meter): () => void {
  activeMeter = meter
  for (const { open } of instruments.values()) open(meter)
  return () => {
    if (activeMeter !== meter) return
    activeMeter = undefined
    for (const { close } of instruments.values()) close()
  }
}

/** Returns whether metrics are enabled. */
export const isCounting = (): boolean => activeMeter !== undefined

function omitUndefined(values: Values<string>): Attributes {
  const attributes: Attributes = {}
  for (const name in values) {
    const value = values[name]
    if (value !== undefined) attributes[name] = value
  }
  return attributes
}

const instrumentOptions = ({ unit, description }: Declaration<string>) => ({ unit, description })

export function counter<const Name extends string>(declaration: Declaration<Name>) {
  let own: { add: (value: number, attributes: Attributes) => void } | undefined
  declare({
    declared: { ...declaration, kind: 'counter' },
    open: (meter) => {
      own = meter.createCounter(declaration.name, instrumentOptions(declaration))
    },
    close: () => {
      own = undefined
    },
  })
  return { add: (values: Values<Name>, count = 1): void => own?.add(count, omitUndefined(values)) }
}

export function upDownCounter<const Name extends string>(declaration: Declaration<Name>) {
  let own: { add: (value: number, attributes: Attributes) => void } | undefined
  declare({
    declared: { ...declaration, kind: 'up-down counter' },
    open: (meter) => {
      own = meter.createUpDownCounter(declaration.name, instrumentOptions(declaration))
    },
    close: () => {
      own = undefined
    },
  })
  return { add: (values: Values<Name>, change: number): void => own?.add(change, omitUndefined(values)) }
}

export function histogram<const Name extends string>({ buckets, ...declaration }: Bounded<Name>) {
  let own: { record: (value: number, attributes: Attributes) => void } | undefined
  declare({
    declared: { ...declaration, kind: 'histogram' },
    open: (meter) => {
      own = meter.createHistogram(declaration.name, {
        ...instrumentOptions(declaration),
        advice: { explicitBucketBoundaries: [...buckets] },
      })
    },
    close: () => {
      own = undefined
    },
  })
  return { record: (value: number, values: Values<Name>): void => own?.record(value, omitUndefined(values)) }
}

type Observed<Name extends string> = { value: number } & { values: Values<Name> }
/** Returns the current values. If it throws, they are omitted. */
export type Observation<Name extends string> = () =>
  | readonly Observed<Name>[]
  | Promise<readonly Observed<Name>[]>

/** An asynchronous instrument, read at each collection. Several observers may report values. */
function observable<const Name extends string>(
  declaration: Declaration<Name>,
  kind: 'gauge' | 'up-down counter' | 'counter',
) {
  const observers = new Set<Observation<Name>>()
  const report = async (result: ObservableResult) => {
    for (const observe of observers) {
      for (const { value, values } of await observe()) result.observe(value, omitUndefined(values))
    }
  }
  let stop = () => {}
  const created = {
    gauge: (meter: Meter) => meter.createObservableGauge(declaration.name, instrumentOptions(declaration)),
    'up-down counter': (meter: Meter) =>
      meter.createObservableUpDownCounter(declaration.name, instrumentOptions(declaration)),
    counter: (meter: Meter) =>
      meter.createObservableCounter(declaration.name, instrumentOptions(declaration)),
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
    /** Adds an observer. Returns a function that removes it. */
    observe(observe: Observation<Name>): () => void {
      observers.add(observe)
      return () => observers.delete(observe)
    },
  }
}

export const gauge = <const Name extends string>(declaration: Declaration<Name>) =>
  observable(declaration, 'gauge')
/** A sum of parts that can go down, such as the connections of all pools. */
export const observedSum = <const Name extends string>(declaration: Declaration<Name>) =>
  observable(declaration, 'up-down counter')
/** A total that is counted elsewhere, such as CPU time. */
export const observedTotal = <const Name extends string>(declaration: Declaration<Name>) =>
  observable(declaration, 'counter')

/** Histogram buckets for calls, as recommended by the conventions, in seconds. */
export const callBuckets = [
  0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10,
] as const
/** Histogram buckets for a database, as recommended by the conventions, in seconds. */
export const databaseBuckets = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10] as const
