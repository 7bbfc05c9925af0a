export type Hex = `0x${string}`

/** A schema or the server has checked that the text has this form. */
export const asHex = (text: string): Hex => `0x${text.slice(2)}`
