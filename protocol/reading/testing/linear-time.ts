// Requires linear time of parsers for untrusted text. Each parses long repetitions within a deadline that only
// a machine hundreds of times slower could miss, but that a quadratic parser always misses.

import { createContext, Script } from 'node:vm'

const LENGTH = 131_072
const DEADLINE_MS = 2_000

const separators = [' ', '\n', '\t', ':', '/', '.', ',', '-', '=', '0', 'a']
const others = ['\r', '\u2028', ';', '_', '&', '?', '#', '@', '%', '*', '~', '[', ']', '(', ')', '{', '}']
const quotes = ['"', "'", '<', '>', '\\', '|', 'A', 'é', '\u0301', '\uFE0F', '\u200D', '\u{1F469}', '\uFFFD']
const words = [
  'Version/',
  'wants ',
  'wants\n',
  'a wants you ',
  'app.example wants you to sign in with your ',
  '0x',
  '://',
  '{"a":',
]

const repetitions = [
  ...separators.flatMap((first) => separators.map((second) => (first === second ? first : first + second))),
  ...others,
  ...quotes,
  ...words,
]

const repeat = (unit: string) => unit.repeat(Math.ceil(LENGTH / unit.length)).slice(0, LENGTH)

const realm = createContext({ run: () => {} })
/** The deadline of the realm also interrupts a search by a regular expression. */
const script = new Script('run()')

function runWithin(run: () => void): boolean {
  realm.run = run
  try {
    script.runInContext(realm, { timeout: DEADLINE_MS })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return false
    // A reader may reject the text.
    return true
  }
}

/**
 * Returns the repetitions that the parser does not read in time, as JSON. `frame` embeds a repetition into a
 * text that the parser expects.
 */
export const slowRepetitions = (
  read: (text: string) => unknown,
  frame: (repeated: string) => string = (repeated) => repeated,
): string[] =>
  repetitions
    .filter((unit) => {
      const repeated = repeat(unit)
      return ![frame(repeated), frame(`x${repeated}\u0001`)].every((text) => runWithin(() => read(text)))
    })
    .map((unit) => JSON.stringify(unit))
