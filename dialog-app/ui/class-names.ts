/** Joins what is there; a CSS module may not know a name. */
export const classNames = (...names: readonly (string | undefined | false)[]) =>
  names.filter(Boolean).join(' ')
