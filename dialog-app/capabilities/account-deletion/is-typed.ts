/** Whether somebody meant to type this: keyboards of phones begin with a capital, and add a space. */
export const isTyped = (wanted: string, typed: string): boolean =>
  typed.trim().toLowerCase() === wanted.toLowerCase()
