/** Joins the defined class names. A CSS module may lack a name. */
export const classNames = (...names: readonly (string | undefined | false)[]) =>
  names.filter(Boolean).join(' ')
