/**
 * Names of peppers. A value that was made with a pepper starts with its name and a dot. The first pepper has no name,
 * so that older values remain unchanged.
 */
export const firstPepper = 'pepper'

/** Prefixes the text with the pepper's name. The text itself must not contain a dot. */
export const addPepperName = (pepper: string, text: string): string =>
  pepper === firstPepper ? text : `${pepper}.${text}`

export const getPepperName = (text: string): string => splitPepperName(text).pepper

export function splitPepperName(text: string): { pepper: string; text: string } {
  const dot = text.indexOf('.')
  return dot < 0 ? { pepper: firstPepper, text } : { pepper: text.slice(0, dot), text: text.slice(dot + 1) }
}

/** Thrown for a pepper that was deleted or is not loaded yet. `withPepperRetry` then loads the keys again. */
export class UnknownPepper extends Error {
  override readonly name = 'UnknownPepper'
  readonly pepper: string
  constructor(pepper: string) {
    super('The pepper does not exist in the database or is not loaded yet')
    this.pepper = pepper
  }
}

type PepperLoader = { loadPepper: (id: string) => Promise<boolean> }

/**
 * Runs the work, and once more after it met an unknown pepper and the keys were loaded again. The work must be
 * read-only or transactional.
 */
export async function withPepperRetry<Result>(
  keyring: PepperLoader,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof UnknownPepper) || !(await keyring.loadPepper(error.pepper))) throw error
    return work()
  }
}
