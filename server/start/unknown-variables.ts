/** Finds misspelled variables, for which the server would silently use a default. */
import { product } from '@latchkey/protocol'
import { collectEnvironment } from '../kernel/capability.ts'
import { serverVariables } from '../kernel/config.ts'
import type { Environment } from '../kernel/environment.ts'
import { capabilities } from './capabilities.ts'
import { telemetryEnvironment } from './telemetry/environment.ts'

export type UnknownVariable = {
  variable: string
  /** The known name that the operator probably intended. */
  suggestion?: string
}

/** All variables that the server reads, by their documented name. */
export const documentedVariables: string[] = [
  ...serverVariables,
  ...[...collectEnvironment(capabilities), telemetryEnvironment].flatMap(({ variables }) => variables),
]

const prefix = `${product.key.toUpperCase()}_`
/** `npm start` reads the first; Kubernetes sets the others for a service that is named like the product. */
const foreignVariable = /^[A-Z]+_(PORT_BASE|SERVICE_(HOST|PORT)(_.*)?|PORT(_\d+_(TCP|UDP)(_.*)?)?)$/

/** Shorter names have ordinary neighbors: HOST is two edits from HOME. */
const longNameLength = 8
const mostEdits = (name: string) => (name.length < longNameLength ? 1 : 2)

export function unknownVariables(environment: Environment): UnknownVariable[] {
  const knownNames = new Set(documentedVariables)
  return Object.entries(environment).flatMap(([variable, value]): UnknownVariable[] => {
    // The OpenTelemetry libraries read more variables of this family.
    if (value === undefined || knownNames.has(variable) || variable.startsWith('OTEL_')) return []
    const suggestion = nearestName(variable.toUpperCase())
    if (suggestion !== undefined) return [{ variable, suggestion }]
    return variable.startsWith(prefix) && !foreignVariable.test(variable) ? [{ variable }] : []
  })
}

/** Formats a warning for the terminal. */
export const describeUnknownVariable = ({ variable, suggestion }: UnknownVariable): string =>
  suggestion === undefined
    ? `Warning: nothing reads the variable ${variable}.`
    : `Warning: nothing reads the variable ${variable}. Did you mean ${suggestion}?`

function nearestName(variable: string): string | undefined {
  let nearest: string | undefined
  let fewest = Number.POSITIVE_INFINITY
  for (const name of documentedVariables) {
    if (Math.abs(name.length - variable.length) > mostEdits(name)) continue
    const edits = countEdits(variable, name)
    if (edits <= mostEdits(name) && edits < fewest) {
      nearest = name
      fewest = edits
    }
  }
  return nearest
}

/** Returns the optimal string alignment distance: insertions, deletions, substitutions and swaps of neighbors. */
function countEdits(one: string, other: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, column) => column)
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= other.length; column += 1) {
      const substitution = one[row - 1] === other[column - 1] ? 0 : 1
      let edits = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + substitution,
      )
      const isSwap = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      if (row > 1 && column > 1 && isSwap) edits = Math.min(edits, (beforeLast[column - 2] ?? 0) + 1)
      current.push(edits)
    }
    beforeLast = last
    last = current
  }
  return last[other.length] ?? 0
}
