/**
 * Which pepper a text was made with: it says so itself, before a dot. The first pepper of a database has no name, so
 * what was written before there were others reads as it did.
 */
export const firstPepper = 'pepper'

/** The text itself has no dot. */
export const namingPepper = (pepper: string, text: string): string =>
  pepper === firstPepper ? text : `${pepper}.${text}`

export const pepperNamedBy = (text: string): string => namesOf(text).pepper

export function namesOf(text: string): { pepper: string; text: string } {
  const dot = text.indexOf('.')
  return dot < 0 ? { pepper: firstPepper, text } : { pepper: text.slice(0, dot), text: text.slice(dot + 1) }
}

/** Met before this process has read it, or gone: `knowingPeppers` reads the keys again. */
export class UnknownPepper extends Error {
  override readonly name = 'UnknownPepper'
  readonly pepper: string
  constructor(pepper: string) {
    super('This names a pepper that is not in the database, or not read yet')
    this.pepper = pepper
  }
}

type Reads = { learnPepper: (id: string) => Promise<boolean> }

/**
 * Work that met a pepper which this process did not know is done again once the keys were read again: work that was
 * rolled back, or that changes nothing.
 */
export async function knowingPeppers<Result>(keyring: Reads, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof UnknownPepper) || !(await keyring.learnPepper(error.pepper))) throw error
    return work()
  }
}
